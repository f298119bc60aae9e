// SPDX-License-Identifier: Apache-2.0
import { Table, Text } from '@mantine/core';
import type { RowSample } from '@sextant/sdk';
import { DataTable } from '../ui/data-table.tsx';

/** Rows that a scan found fault with, each with why. Personal data comes masked. */
export function RowSamples({ samples }: { readonly samples: readonly RowSample[] }) {
  const columns = [...new Set(samples.flatMap(({ row }) => Object.keys(row)))];
  const hasIds = samples.some(({ record_id: id }) => id !== null);
  const hasNumbers = samples.some(({ record_number: number }) => number !== undefined);
  return (
    <DataTable
      minWidth={600}
      maxHeight={360}
      stickyHeader
      fz="xs"
      headings={['Why', hasIds && 'Id', hasNumbers && 'Record', ...columns.map((column) => ({ label: column, ff: 'monospace' }))]}
    >
      {samples.map(({ record_id: id, record_number: number, reason, row }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows may be alike, and stay where they are
        <Table.Tr key={place}>
          <Table.Td miw={160} maw={320}>
            {reason}
          </Table.Td>
          {hasIds && <Table.Td ff="monospace">{id}</Table.Td>}
          {hasNumbers && <Table.Td ff="monospace">{number}</Table.Td>}
          {columns.map((column) => (
            <Table.Td
              key={column}
              ff="monospace"
              title={row[column] ?? undefined}
              style={{ whiteSpace: 'nowrap', maxWidth: 240, overflow: 'hidden', textOverflow: 'ellipsis' }}
            >
              {row[column] ?? (
                <Text span inherit c="dimmed" fs="italic">
                  null
                </Text>
              )}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </DataTable>
  );
}
