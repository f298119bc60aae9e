// SPDX-License-Identifier: Apache-2.0
import { Stack } from '@mantine/core';
import type { Asset } from '@sextant/sdk';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { isSearchable } from './searchable.ts';
import { SuggestedRules } from './suggested-rules.tsx';
import { WrongCells } from './wrong-cells.tsx';

/** What the scans of an asset propose: rules that could be monitors, and cells that look wrong. */
export function Suggestions({ asset }: { readonly asset: Asset }) {
  if (!isSearchable(asset)) {
    return (
      <EmptyState title="Only files are searched">
        Scans search only files for wrong cells and rules, not databases and collections.
      </EmptyState>
    );
  }
  if (asset.options.find_wrong_cells !== 'true') {
    return (
      <EmptyState title="This asset is not searched">
        Turn on “Search for wrong cells” in the settings, under “Scan options”. The next scan then lists cells that look wrong and suggests
        rules.
      </EmptyState>
    );
  }
  return (
    <Stack gap="xl">
      <SuggestedRules projectId={String(asset.project_id)} assetId={asset.id} />
      <WrongCells assetId={asset.id} />
    </Stack>
  );
}
