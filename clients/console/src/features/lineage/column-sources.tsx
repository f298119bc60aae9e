// SPDX-License-Identifier: Apache-2.0
import { Button, Code, Stack, Table, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ColumnLineage } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { columnLineage } from '../../data/assets/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { EditColumns } from './edit-columns.tsx';

const ORIGINS = { PERSON: 'a person', OPENLINEAGE: 'OpenLineage', DBT: 'dbt', VIEW: 'its view' } as const;

type ColumnSourcesProps = { readonly row: AssetRow; readonly rows: readonly AssetRow[] };

/** The columns of an asset whose sources are known, with these, and where they are changed. */
export function ColumnSources({ row, rows }: ColumnSourcesProps) {
  const { observability } = useServices();
  const refusal = useRefusal('editor', row.asset.project_id);
  const [isEditing, { open, close }] = useDisclosure(false);
  const found = useQuery(columnLineage(observability, row.asset.id));
  if (found.isError) return <ErrorPanel error={found.error} doing="read the columns" onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return null;
  const { columns } = found.data;
  // Without parents there is nothing that a column could come from.
  if (columns.length === 0 && (row.asset.parents ?? []).length === 0) return null;
  return (
    <Stack gap="xs">
      {columns.length > 0 && <SourceTable columns={columns} rows={rows} />}
      <Tooltip label={refusal} disabled={refusal === undefined}>
        <Button variant="default" onClick={open} disabled={refusal !== undefined} w="fit-content">
          Change the column sources
        </Button>
      </Tooltip>
      {isEditing && <EditColumns row={row} rows={rows} known={columns} onClose={close} />}
    </Stack>
  );
}

type SourceTableProps = { readonly columns: readonly ColumnLineage[]; readonly rows: readonly AssetRow[] };

function SourceTable({ columns, rows }: SourceTableProps) {
  const byId = new Map(rows.map((each) => [each.asset.id, each.asset]));
  return (
    <DataTable minWidth={320} caption="Columns whose sources are known" headings={['Column', 'Comes from', 'Source of the information']}>
      {columns.map(({ attribute, origin, sources }) => (
        <Table.Tr key={attribute}>
          <Table.Td>
            <Code>{attribute}</Code>
          </Table.Td>
          <Table.Td>
            {sources.length === 0 && <Dimmed>no other column</Dimmed>}
            {sources.map((source) => {
              const asset = byId.get(source.asset_id);
              return (
                <div key={`${source.asset_id} ${source.attribute}`}>
                  {asset === undefined ? null : (
                    <TextLink to={`/assets/${asset.project_id}/${asset.id}?tab=lineage`} underline="always">
                      {asset.name}
                    </TextLink>
                  )}{' '}
                  <Code>{source.attribute}</Code>
                </div>
              );
            })}
          </Table.Td>
          <Table.Td>{ORIGINS[origin]}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
