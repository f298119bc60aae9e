// SPDX-License-Identifier: Apache-2.0
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table.tsx';
import type { AssetFilter, Sort } from './asset-filter.ts';
import { AssetListRow } from './asset-list-row.tsx';

const COLUMNS: readonly VirtualColumn<Sort>[] = [
  { sort: 'name', label: 'Name' },
  { sort: 'project', label: 'Project', width: 110, visibleFrom: 'lg' },
  { sort: 'source', label: 'Source', width: 130, visibleFrom: 'md' },
  { sort: 'health', label: 'Health', width: 130 },
  { sort: 'freshness', label: 'Freshness', width: 130, visibleFrom: 'sm' },
  { sort: 'scan', label: 'Last scan', width: 190, visibleFrom: 'sm' },
  { sort: 'next', label: 'Next scan', width: 100, visibleFrom: 'lg' },
];

type AssetListProps = {
  readonly rows: readonly AssetRow[];
  readonly filter: AssetFilter;
  readonly nowMs: number;
  readonly onSort: (sort: Sort) => void;
};

export function AssetList({ rows, filter: { sort = 'name', desc = false }, nowMs, onSort }: AssetListProps) {
  return (
    <VirtualTable label="Assets" columns={COLUMNS} rows={rows} keyOf={idOf} sort={sort} isDescending={desc} onSort={onSort} hasActions>
      {(row, place, key) => <AssetListRow key={key} row={row} nowMs={nowMs} {...place} />}
    </VirtualTable>
  );
}

function idOf({ asset }: AssetRow): string {
  return asset.id;
}
