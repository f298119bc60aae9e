import { Button, Group, JsonInput, Skeleton, Stack, Text } from '@mantine/core';
import { parseJson } from '@sextant/foundation-std';
import type { Filter, PointId } from '@sextant/sdk';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import type { CollectionFacts } from '../collections/collection-facts.ts';
import { DeletePoints } from './delete-points.tsx';
import { jsonProblem } from './json-problem.ts';
import { ColumnChoice, useColumns } from './payload-columns.tsx';
import { PointTable } from './point-table.tsx';

const PAGE_POINTS = 100;
const route = getRouteApi('/collections/$name');

/** The points of a collection by id, of all or of those that pass a filter. The filter is part of the address. */
export function PointsBrowser({ name, info }: CollectionFacts) {
  const { filter: written } = route.useSearch();
  const navigate = route.useNavigate();
  const [draft, setDraft] = useState(written ?? '');
  const problem = draft.trim() === '' ? undefined : jsonProblem(draft);
  const apply = () => {
    if (problem === undefined)
      void navigate({ search: (before) => ({ ...before, filter: draft.trim() === '' ? undefined : draft.trim() }) });
  };
  return (
    <Stack gap="sm">
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
          size="xs"
          style={{ flexGrow: 1 }}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Button onClick={apply} disabled={problem !== undefined}>
          Apply
        </Button>
      </Group>
      <Pages key={written ?? ''} name={name} written={written} total={info.points_count} />
    </Stack>
  );
}

type PagesProps = { readonly name: string; readonly written: string | undefined; readonly total: number };

function Pages({ name, written, total }: PagesProps) {
  const { vector } = useServices();
  /** Where this page and those before it begin; undefined is the beginning. */
  const [starts, setStarts] = useState<readonly (PointId | undefined)[]>([undefined]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isDeleting, setIsDeleting] = useState(false);
  const [columns, setColumns] = useColumns(name);
  const start = starts.at(-1);
  // The service judges it, and says what is wrong.
  const filter = written === undefined ? undefined : (parseJson(written) as Filter);
  const page = useQuery({
    queryKey: ['vector', 'points', name, written ?? '', String(start ?? '')],
    queryFn: ({ signal }) =>
      vector
        .collection(name)
        .scrollPage(
          { limit: PAGE_POINTS, with_payload: true, ...(filter && { filter }), ...(start !== undefined && { offset: start }) },
          { signal },
        ),
    placeholderData: keepPreviousData,
  });
  const passing = useQuery({
    queryKey: ['vector', 'points', name, 'count', written ?? ''],
    queryFn: ({ signal }) => vector.collection(name).count(filter === undefined ? {} : { filter }, { signal }),
    enabled: filter !== undefined,
  });
  const go = (next: readonly (PointId | undefined)[]) => {
    setStarts(next);
    setSelected(new Set());
  };
  if (page.isError) return <ErrorPanel error={page.error} doing="read the points" onRetry={() => void page.refetch()} />;
  if (page.data === undefined) return <Skeleton height={320} />;
  const { points, next_page_offset: next } = page.data;
  if (points.length === 0 && starts.length === 1) return <NoPoints name={name} isFiltered={written !== undefined} />;
  const first = (starts.length - 1) * PAGE_POINTS + 1;
  const whole = filter === undefined ? countText(total) : `${passing.data === undefined ? '…' : countText(passing.data)} that pass`;
  return (
    <>
      <Group gap="sm">
        <ColumnChoice payloads={points.map(({ payload }) => payload)} columns={columns} onChange={setColumns} />
        {selected.size > 0 && (
          <Button color="red" variant="light" onClick={() => setIsDeleting(true)}>
            Delete the {countText(selected.size)} selected
          </Button>
        )}
        <Group gap="xs" ml="auto" wrap="nowrap">
          <Text size="sm" c="dimmed">
            {countText(first)} to {countText(first + points.length - 1)} of {whole}
          </Text>
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
      <PointTable name={name} points={points} columns={columns} selected={selected} onSelect={setSelected} />
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

function NoPoints({ name, isFiltered }: { readonly name: string; readonly isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No point passes this filter">Change it, or apply an empty one.</EmptyState>;
  return (
    <EmptyState title="No point yet" command={`sextant import ${name} points.ndjson`}>
      Points arrive by the API, the SDK, or a file.
    </EmptyState>
  );
}
