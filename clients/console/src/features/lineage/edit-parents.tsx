// SPDX-License-Identifier: Apache-2.0
import { MultiSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Asset } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { refreshLineage } from '../../data/assets/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type EditParentsProps = { readonly asset: Asset; readonly rows: readonly AssetRow[]; readonly onClose: () => void };

/** Says which assets this one comes from. The service refuses circles, in its own words. */
export function EditParents({ asset, rows, onClose }: EditParentsProps) {
  const { observability } = useServices();
  const [parents, setParents] = useState<string[]>([...(asset.parents ?? [])]);
  // The list lies over the buttons: it is open while one is sought, not before and not after.
  const [isListed, list] = useDisclosure(false);
  const options = useMemo(
    () =>
      rows.filter((row) => row.asset.id !== asset.id).map((row) => ({ value: row.asset.id, label: `${row.asset.name} (${row.project})` })),
    [rows, asset.id],
  );
  const saving = useMutation({
    mutationFn: () => observability.putLineage({ asset_id: asset.id, parents }),
    onSuccess: async () => {
      await refreshLineage();
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Sources of ${asset.name}`}
      verb="Save"
      saving={saving}
      doing="change the lineage"
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <MultiSelect
        label="Assets"
        description="The record count and uniqueness of the asset are compared with those of its sources"
        placeholder="Find an asset"
        data={options}
        value={parents}
        onChange={setParents}
        limit={50}
        searchable
        openOnFocus={false}
        dropdownOpened={isListed}
        onDropdownOpen={list.open}
        onDropdownClose={list.close}
        onOptionSubmit={list.close}
        data-autofocus
      />
    </FormDialog>
  );
}
