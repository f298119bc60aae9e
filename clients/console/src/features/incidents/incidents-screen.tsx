import { Button, Group, MultiSelect, Skeleton, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useServices } from '../../app/services.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { IncidentTable } from './incident-table.tsx';
import { type IncidentFilter, incidentPages } from './queries.ts';

const LEVELS = ['HIGH', 'MEDIUM', 'LOW'];
const route = getRouteApi('/members/incidents');

/** All incidents of the tenant, newest first. What is filtered by stands in the address. */
export function IncidentsScreen() {
  const { observability } = useServices();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const pages = useInfiniteQuery(incidentPages(observability, filter));
  const incidents = pages.data?.pages.flat() ?? [];
  const change = (part: IncidentFilter) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const isFiltered = Object.values(filter).some((each) => each !== undefined);
  return (
    <Page title="Incidents">
      <Group gap="sm" align="end">
        <MultiSelect
          label="Impact"
          data={LEVELS}
          value={listOf(filter.impacts)}
          onChange={(values) => change({ impacts: joined(values) })}
          placeholder={filter.impacts === undefined ? 'any' : ''}
          clearable
          w={180}
        />
        <TextInput
          label="From"
          type="date"
          value={filter.from ?? ''}
          onChange={(event) => change({ from: event.currentTarget.value || undefined })}
        />
        <TextInput
          label="To"
          type="date"
          value={filter.to ?? ''}
          onChange={(event) => change({ to: event.currentTarget.value || undefined })}
        />
        <TextInput
          label="Text"
          placeholder="in name or description"
          value={filter.text ?? ''}
          onChange={(event) => change({ text: event.currentTarget.value || undefined })}
          style={{ flexGrow: 1, maxWidth: 320 }}
        />
        {isFiltered && (
          <Button
            variant="subtle"
            onClick={() => change({ impacts: undefined, severities: undefined, from: undefined, to: undefined, text: undefined })}
          >
            Clear
          </Button>
        )}
      </Group>
      {pages.isError && <ErrorPanel error={pages.error} doing="list the incidents" onRetry={() => void pages.refetch()} />}
      {pages.isPending && <Skeleton height={320} />}
      {pages.isSuccess && incidents.length === 0 && (
        <EmptyState title={isFiltered ? 'No incident passes' : 'No incident'}>
          {isFiltered
            ? 'Change what is filtered by.'
            : 'When a scan finds something out of order, it is here, once, until it is back in order.'}
        </EmptyState>
      )}
      {incidents.length > 0 && (
        <IncidentTable incidents={incidents} onEnd={() => pages.hasNextPage && !pages.isFetchingNextPage && void pages.fetchNextPage()} />
      )}
    </Page>
  );
}

function listOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',');
}

function joined(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : values.join(',');
}
