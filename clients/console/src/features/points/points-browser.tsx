// SPDX-License-Identifier: Apache-2.0
import { Button, Group, JsonInput, Skeleton, Stack, Text } from '@mantine/core';
import { parseJson } from '@sextant/foundation-std';
import type { Filter, PointId } from '@sextant/sdk';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { CollectionFacts } from '../../data/collections/queries.ts';
import type { HighlightedPoint } from '../../data/points/highlighted-points.ts';
import { PAGE_POINTS, pointCount, pointPage } from '../../data/points/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { jsonProblem, jsonText } from '../../ui/json.ts';
import { HighlightGate } from '../../widgets/highlight-gate.tsx';
import { ColumnChoice, useColumns } from '../../widgets/payload.tsx';
import { DeletePoints } from './delete-points.tsx';
import { PointTable } from './point-table.tsx';
import { UpsertPoints } from './upsert-points.tsx';

const route = getRouteApi('/collections/$name');

/** The points of a collection by id: all, those that pass a filter, those that a scan found fault with. Which ones is part of the address. */
export function PointsBrowser(facts: CollectionFacts) {
  const { highlight: jobId } = route.useSearch();
  return (
    <HighlightGate jobId={jobId} without="see all points">
      {(highlighted) => <Points {...facts} highlighted={highlighted} />}
    </HighlightGate>
  );
}

type Highlighted = { readonly highlighted: readonly HighlightedPoint[] };

function Points({ highlighted, ...facts }: CollectionFacts & Highlighted) {
  const { name, info } = facts;
  const { filter: written } = route.useSearch();
  const filter = useMemo(() => filterOf(written, highlighted), [written, highlighted]);
  const navigate = route.useNavigate();
  const [draft, setDraft] = useState(written ?? '');
  const [isUpserting, setIsUpserting] = useState(false);
  const problem = draft.trim() === '' ? undefined : jsonProblem(draft);
  const apply = () => {
    if (problem === undefined)
      void navigate({ search: (before) => ({ ...before, filter: draft.trim() === '' ? undefined : draft.trim() }) });
  };
  return (
    <Stack gap="sm">
      {highlighted.length > 0 && (
        <Group gap="sm">
          <Text size="sm">
            {highlighted.length === 1 ? 'The point' : `The ${countText(highlighted.length)} points`} that the scan found faulty and that
            still exist.
          </Text>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => void navigate({ search: (before) => ({ ...before, highlight: undefined }) })}
          >
            Show all points
          </Button>
        </Group>
      )}
      <Group align="end" gap="xs">
        <JsonInput
          label="Filter"
          placeholder='{"must": [{"key": "city", "match": {"value": "London"}}]}'
          value={draft}
          onChange={setDraft}
          error={problem === undefined ? undefined : `Line ${problem.line}, column ${problem.column}: ${problem.message}`}
          autosize
          minRows={1}
          maxRows={10}
          style={{ flexGrow: 1 }}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Button onClick={apply} disabled={problem !== undefined}>
          Apply
        </Button>
        <Button variant="default" onClick={() => setIsUpserting(true)}>
          Upsert points
        </Button>
      </Group>
      <Pages key={jsonText(filter)} name={name} filter={filter} total={info.points_count} highlighted={highlighted} />
      {isUpserting && <UpsertPoints {...facts} onClose={() => setIsUpserting(false)} />}
    </Stack>
  );
}

type PagesProps = Highlighted & { readonly name: string; readonly filter: Filter | undefined; readonly total: number };

function Pages({ name, filter, total, highlighted }: PagesProps) {
  const { vector } = useServices();
  /** Where this page and those before it begin; undefined is the beginning. */
  const [starts, setStarts] = useState<readonly (PointId | undefined)[]>([undefined]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isDeleting, setIsDeleting] = useState(false);
  const [columns, setColumns] = useColumns(name);
  const start = starts.at(-1);
  const reasonsOf = useMemo(() => new Map(highlighted.map(({ id, reasons }) => [String(id), reasons.join('; ')])), [highlighted]);
  const page = useQuery(pointPage(vector, name, { filter, start }));
  const passing = useQuery({ ...pointCount(vector, name, filter), enabled: filter !== undefined });
  const go = (next: readonly (PointId | undefined)[]) => {
    setStarts(next);
    setSelected(new Set());
  };
  if (page.isError) return <ErrorPanel error={page.error} doing="read the points" onRetry={() => void page.refetch()} />;
  if (page.data === undefined) return <Skeleton height={320} />;
  const { points, next_page_offset: next } = page.data;
  if (points.length === 0 && starts.length === 1)
    return <NoPoints name={name} isFiltered={filter !== undefined} isHighlighted={highlighted.length > 0} />;
  const first = (starts.length - 1) * PAGE_POINTS + 1;
  const uncounted = passing.isError ? 'those' : '…';
  const whole = filter === undefined ? countText(total) : `${passing.data === undefined ? uncounted : countText(passing.data)} that match`;
  return (
    <>
      {passing.isError && <ErrorPanel error={passing.error} doing="count the points" onRetry={() => void passing.refetch()} />}
      <Group gap="sm">
        <ColumnChoice payloads={points.map(({ payload }) => payload)} columns={columns} onChange={setColumns} />
        {selected.size > 0 && (
          <Button color="red" variant="light" onClick={() => setIsDeleting(true)}>
            Delete the {countText(selected.size)} selected
          </Button>
        )}
        <Group gap="xs" ml="auto" wrap="nowrap">
          <Dimmed>
            {countText(first)} to {countText(first + points.length - 1)} of {whole}
          </Dimmed>
          <Button
            variant="default"
            px={6}
            aria-label="Previous page"
            disabled={starts.length === 1}
            onClick={() => go(starts.slice(0, -1))}
          >
            <IconChevronLeft size={14} />
          </Button>
          <Button
            variant="default"
            px={6}
            aria-label="Next page"
            disabled={next === null || page.isPlaceholderData}
            onClick={() => next !== null && go([...starts, next])}
          >
            <IconChevronRight size={14} />
          </Button>
        </Group>
      </Group>
      <PointTable name={name} points={points} columns={columns} reasonsOf={reasonsOf} selected={selected} onSelect={setSelected} />
      {isDeleting && (
        <DeletePoints
          name={name}
          ids={points.flatMap(({ id }) => (selected.has(String(id)) ? [id] : []))}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => setSelected(new Set())}
        />
      )}
    </>
  );
}

/** The service validates what was written, and says what is wrong. */
function filterOf(written: string | undefined, highlighted: readonly HighlightedPoint[]): Filter | undefined {
  const own = written === undefined ? undefined : (parseJson(written) as Filter);
  if (highlighted.length === 0) return own;
  return { must: [{ has_id: highlighted.map(({ id }) => id) }, ...(own === undefined ? [] : [own])] };
}

type NoPointsProps = { readonly name: string; readonly isFiltered: boolean; readonly isHighlighted: boolean };

function NoPoints({ name, isFiltered, isHighlighted }: NoPointsProps) {
  if (isHighlighted)
    return <EmptyState title="None of these points is here">They were deleted after the scan, or do not match the filter.</EmptyState>;
  if (isFiltered) return <EmptyState title="No point matches this filter">Change the filter, or apply an empty one.</EmptyState>;
  return (
    <EmptyState title="No point yet" command={`sextant import ${name} points.ndjson`}>
      Upsert points here, over the API, with the SDK or from a file.
    </EmptyState>
  );
}
