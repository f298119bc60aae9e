import type { AssetRow } from '../assets/asset-rows.ts';
import { LineageList } from './lineage-list.tsx';

export function AssetLineage({ row, rows }: { readonly row: AssetRow; readonly rows: readonly AssetRow[] }) {
  return <LineageList row={row} rows={rows} />;
}
