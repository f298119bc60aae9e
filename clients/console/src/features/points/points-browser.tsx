import { Button, Group, JsonInput, Skeleton, Stack, Text } from '@mantine/core';
import type { Filter, PointId } from '@sextant/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel, messageOf } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import type { CollectionFacts } from '../collections/collection-facts.ts';
import { PointTable } from './point-table.tsx';

const PAGE_POINTS = 100;
const route = getRouteApi('/collections/$name');

/** The points of a collection by id, of all or of those that pass a filter. The filter is part of the address. */
export function PointsBrowser({ name, info }: CollectionFacts) {
  const { vector } = useServices();
  const { filter: written } = route.useSearch();
  const navigate = route.useNavigate();
  const [draft, setDraft] = useState(written ?? '');
  const [problem, setProblem] = useState<string>();
  const pages = useInfiniteQuery({
    queryKey: ['vector', 'points', name, written ?? ''],
    queryFn: ({ pageParam, signal }) =>
      vector.collection(name).scrollPage(
        {
          limit: PAGE_POINTS,
          with_payload: true,
          ...(written !== undefined && { filter: JSON.parse(written) as Filter }),
          ...(pageParam !== undefined && { offset: pageParam }),
        },
        { signal },
      ),
    initialPageParam: undefined as PointId | undefined,
    getNextPageParam: (last) => last.next_page_offset ?? undefined,
  });
  const points = pages.data?.pages.flatMap((page) => page.points) ?? [];
  const apply = () => {
    try {
      if (draft.trim() !== '') JSON.parse(draft);
      setProblem(undefined);
      void navigate({ search: (before) => ({ ...before, filter: draft.trim() === '' ? undefined : draft.trim() }) });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Stack gap="sm">
      <Group align="end" gap="xs">
        <JsonInput
          label="Filter"
          placeholder='{"must": [{"key": "city", "match": {"value": "London"}}]}'
          value={draft}
          onChange={setDraft}
          error={problem}
          autosize
          minRows={1}
          maxRows={10}
          size="xs"
          style={{ flexGrow: 1 }}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <Button onClick={apply}>Apply</Button>
      </Group>
      {pages.isError && <ErrorPanel error={pages.error} doing="read the points" onRetry={() => void pages.refetch()} />}
      {pages.isPending && <Skeleton height={320} />}
      {pages.isSuccess && points.length === 0 && <NoPoints name={name} isFiltered={written !== undefined} />}
      {points.length > 0 && (
        <>
          <PointTable name={name} points={points} />
          <Group>
            <Text size="sm" c="dimmed">
              {countText(points.length)} of {written === undefined ? countText(info.points_count) : 'those that pass'}
            </Text>
            {pages.hasNextPage && (
              <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                Show more
              </Button>
            )}
          </Group>
        </>
      )}
    </Stack>
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
