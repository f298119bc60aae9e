// SPDX-License-Identifier: Apache-2.0
import { Code, Table } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { columnLineage } from '../../data/assets/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** Each child costs a request. */
const CHILDREN_MAX = 50;

type ColumnTargetsProps = { readonly row: AssetRow; readonly rows: readonly AssetRow[] };

/** Which columns of its children the columns of an asset go into. */
export function ColumnTargets({ row: { asset }, rows }: ColumnTargetsProps) {
  const { observability } = useServices();
  const all = rows.map((each) => each.asset).filter(({ id }) => asset.children?.includes(id) === true);
  const children = all.slice(0, CHILDREN_MAX);
  const found = useQueries({ queries: children.map(({ id }) => columnLineage(observability, id)) });
  const failed = found.find(({ isError }) => isError);
  if (failed !== undefined) return <ErrorPanel error={failed.error} doing="read the columns" onRetry={() => void failed.refetch()} />;
  const edges = children.flatMap((child, at) =>
    (found[at]?.data?.columns ?? []).flatMap(({ attribute, sources }) =>
      sources.filter(({ asset_id }) => asset_id === asset.id).map((source) => ({ column: source.attribute, child, attribute })),
    ),
  );
  if (edges.length === 0) return null;
  const byColumn = [...Map.groupBy(edges, ({ column }) => column)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return (
    <DataTable
      minWidth={320}
      caption={`Columns used by other assets${all.length > children.length ? `, in ${CHILDREN_MAX} of ${all.length} assets` : ''}`}
      headings={['Column', 'Goes into']}
    >
      {byColumn.map(([column, targets]) => (
        <Table.Tr key={column}>
          <Table.Td>
            <Code>{column}</Code>
          </Table.Td>
          <Table.Td>
            {targets.map(({ child, attribute }) => (
              <div key={`${child.id} ${attribute}`}>
                <TextLink to={`/assets/${child.project_id}/${child.id}?tab=lineage`} underline="always">
                  {child.name}
                </TextLink>{' '}
                <Code>{attribute}</Code>
              </div>
            ))}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
