// SPDX-License-Identifier: Apache-2.0
import { SegmentedControl, Skeleton, Stack, Table } from '@mantine/core';
import type { WrongCell } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { type CellVerdict, useCellVerdict, wrongCells } from '../../../data/assets/suggestions.ts';
import { useServices } from '../../../data/services/services.ts';
import { DataTable, right } from '../../../ui/data-table.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { countText } from '../../../ui/figures.ts';
import { Section } from '../../../ui/section.tsx';

/** Cells that look wrong, surest first, and what people say of them. */
export function WrongCells({ assetId }: { readonly assetId: string }) {
  const { observability } = useServices();
  const found = useQuery(wrongCells(observability, assetId));
  const saying = useCellVerdict(assetId);
  return (
    <Section id="wrong-cells" title="Cells that look wrong">
      {found.isPending && <Skeleton height={120} />}
      {found.isError && <ErrorPanel error={found.error} doing="list the cells" onRetry={() => void found.refetch()} />}
      {saying.isError && <ErrorPanel error={saying.error} doing="save the verdict" />}
      {found.data !== undefined && (
        <Stack gap="xs">
          <Dimmed>{summary(found.data)}</Dimmed>
          {found.data.cells.length > 0 && (
            <CellTable cells={found.data.cells} onVerdict={(id, verdict) => saying.mutate({ id, verdict })} />
          )}
        </Stack>
      )}
    </Section>
  );
}

type Found = { readonly job_id: string | null; readonly rows_checked: number | null; readonly cells_found: number | null };

function summary({ job_id, rows_checked: rows, cells_found: cells, ...found }: Found & { readonly cells: readonly WrongCell[] }): string {
  if (job_id === null || rows === null || cells === null) return 'No scan has searched for wrong cells yet.';
  if (cells === 0) return `The last search examined ${countText(rows)} rows, and found no cell that looks wrong.`;
  const listed = cells > found.cells.length ? ` The ${countText(found.cells.length)} with the highest confidence are listed.` : '';
  return `${countText(cells)} of the cells in ${countText(rows)} rows look wrong.${listed} Personal data is masked. The next search learns from your verdicts.`;
}

type CellTableProps = { readonly cells: readonly WrongCell[]; readonly onVerdict: (id: string, verdict: CellVerdict) => void };

function CellTable({ cells, onVerdict }: CellTableProps) {
  return (
    <DataTable
      minWidth={820}
      maxHeight={640}
      stickyHeader
      headings={['Row', 'Attribute', 'Value', 'Reason', 'Likely value', right('Confidence'), 'Verdict']}
    >
      {cells.map((cell) => (
        <CellRow key={cell.id} cell={cell} onVerdict={(verdict) => onVerdict(cell.id, verdict)} />
      ))}
    </DataTable>
  );
}

const UNSAID = 'UNSAID';
const VERDICTS = [
  { value: 'WRONG', label: 'Wrong' },
  { value: UNSAID, label: '–' },
  { value: 'RIGHT', label: 'Right' },
];

function CellRow({ cell, onVerdict }: { readonly cell: WrongCell; readonly onVerdict: (verdict: CellVerdict) => void }) {
  const { row_number: row, record_id: id, attribute, value, reason, repair, score, verdict } = cell;
  return (
    <Table.Tr>
      <Table.Td>{id !== null && id !== '' ? id : row === null ? '–' : countText(row)}</Table.Td>
      <Table.Td ff="monospace">{attribute}</Table.Td>
      <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {value ?? <em>empty</em>}
      </Table.Td>
      <Table.Td>{reason}</Table.Td>
      <Table.Td ff="monospace">{repair}</Table.Td>
      <Table.Td ta="right">{Math.round(score * 100)} %</Table.Td>
      <Table.Td>
        <SegmentedControl
          size="xs"
          data={VERDICTS}
          value={verdict ?? UNSAID}
          onChange={(chosen) => onVerdict(chosen === 'WRONG' || chosen === 'RIGHT' ? chosen : null)}
          aria-label={`Verdict on ${attribute} of ${id ?? `row ${row}`}`}
        />
      </Table.Td>
    </Table.Tr>
  );
}
