// SPDX-License-Identifier: Apache-2.0
import { Anchor, Code, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { columnLineage } from '../../data/assets/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';

const ORIGINS = { PERSON: 'a person', OPENLINEAGE: 'OpenLineage', DBT: 'dbt', VIEW: 'its view' } as const;

type ColumnSourcesProps = { readonly row: AssetRow; readonly rows: readonly AssetRow[] };

/** The columns of an asset whose sources are known, with these. */
export function ColumnSources({ row, rows }: ColumnSourcesProps) {
  const { observability } = useServices();
  const found = useQuery(columnLineage(observability, row.asset.id));
  if (found.isError) return <ErrorPanel error={found.error} doing="read the columns" onRetry={() => void found.refetch()} />;
  if (found.data === undefined || found.data.columns.length === 0) return null;
  const byId = new Map(rows.map((each) => [each.asset.id, each.asset]));
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table captionSide="top" verticalSpacing={4}>
        <Table.Caption ta="left" mt={0}>
          Columns whose sources are known
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Column</Table.Th>
            <Table.Th>Comes from</Table.Th>
            <Table.Th>Known from</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.data.columns.map(({ attribute, origin, sources }) => (
            <Table.Tr key={attribute}>
              <Table.Td>
                <Code>{attribute}</Code>
              </Table.Td>
              <Table.Td>
                {sources.length === 0 && (
                  <Text size="sm" c="dimmed">
                    no other column
                  </Text>
                )}
                {sources.map((source) => {
                  const asset = byId.get(source.asset_id);
                  return (
                    <div key={`${source.asset_id} ${source.attribute}`}>
                      {asset === undefined ? null : (
                        <Anchor component={Link} to={`/assets/${asset.project_id}/${asset.id}?tab=lineage`} size="sm">
                          {asset.name}
                        </Anchor>
                      )}{' '}
                      <Code>{source.attribute}</Code>
                    </div>
                  );
                })}
              </Table.Td>
              <Table.Td>{ORIGINS[origin]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
