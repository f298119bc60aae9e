// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Autocomplete, Button, Group, MultiSelect, Stack } from '@mantine/core';
import type { ColumnLineage } from '@sextant/sdk';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { assetDetail, refreshLineage } from '../../data/assets/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { type ColumnEdges, edgesOf, problemAt, sourceChoices, sourcesOf } from './column-edges.ts';

type EditColumnsProps = {
  readonly row: AssetRow;
  readonly rows: readonly AssetRow[];
  readonly known: readonly ColumnLineage[];
  readonly onClose: () => void;
};

/** Says which columns of its parents each column comes from. Columns that are left as they are go on following the view or program that reports them. */
export function EditColumns({ row: { asset }, rows, known, onClose }: EditColumnsProps) {
  const { observability } = useServices();
  const [columns, setColumns] = useState<readonly ColumnEdges[]>(known.map(edgesOf));
  const own = useQuery(assetDetail(observability, String(asset.project_id), asset.id));
  const parents = rows.map((each) => each.asset).filter(({ id }) => asset.parents?.includes(id) === true);
  const details = useQueries({ queries: parents.map(({ id, project_id }) => assetDetail(observability, String(project_id), id)) });
  const choices = sourceChoices(
    parents.map(({ id, name }, at) => ({ id, name, attributes: (details[at]?.data?.attributes ?? []).map((each) => each.name) })),
    columns,
  );
  const put = (index: number, change: Partial<ColumnEdges>) =>
    setColumns(columns.map((each, at) => (at === index ? { ...each, ...change } : each)));
  const saving = useMutation({
    mutationFn: () => observability.putColumnLineage({ asset_id: asset.id, columns: columns.map(sourcesOf) }),
    onSuccess: async () => {
      await refreshLineage();
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Sources of the columns of ${asset.name}`}
      size="xl"
      verb="Save"
      isDisabled={columns.some((_, index) => problemAt(columns, index) !== undefined)}
      saving={saving}
      doing="change the columns"
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <Dimmed>
        The sources of a column that is not listed are unknown. A listed column without sources is not derived from any other column.
      </Dimmed>
      <Stack gap="xs" role="group" aria-label="Columns">
        {columns.map(({ attribute, sources }, index) => (
          // Rows have no identity but their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps the focus while its name changes
          <Group key={index} gap="xs" wrap="nowrap" align="start">
            <Autocomplete
              aria-label="Column"
              placeholder="column"
              data={(own.data?.attributes ?? []).map(({ name }) => name)}
              value={attribute}
              onChange={(name) => put(index, { attribute: name })}
              error={attribute === '' ? undefined : problemAt(columns, index)}
              w={200}
            />
            <MultiSelect
              aria-label={`Sources of ${attribute}`}
              {...(sources.length === 0 && { placeholder: 'no other column' })}
              data={choices}
              value={[...sources]}
              onChange={(chosen) => put(index, { sources: chosen })}
              limit={50}
              searchable
              style={{ flex: 1, minWidth: 0 }}
            />
            <ActionIcon
              mt={6}
              aria-label={`Remove the column ${attribute}`}
              onClick={() => setColumns(columns.filter((_, at) => at !== index))}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setColumns([...columns, { attribute: '', sources: [] }])}
          w="fit-content"
        >
          Add a column
        </Button>
      </Stack>
    </FormDialog>
  );
}
