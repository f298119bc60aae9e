// SPDX-License-Identifier: Apache-2.0
import { Box, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { type IncidentFilter, isFiltered } from '../../data/incidents/filter.ts';
import { incidentCounts, incidentPage, incidentSummary } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Page } from '../../ui/page.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { FilterBar } from './filter-bar.tsx';
import { IncidentTable } from './incident-table.tsx';
import { PastAlerts } from './past-alerts.tsx';

const route = getRouteApi('/members/incidents');
/** What stands above the list on every screen: header, paddings, heading. */
const ABOVE_PX = 136;

/** All incidents of the tenant, newest first. What is filtered by stands in the address. */
export function IncidentsScreen() {
  const { observability } = useServices();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const search = useRef<HTMLInputElement>(null);
  const total = useQuery(incidentSummary(observability)).data?.total;
  const shown = useShown(filter);
  const change = (next: IncidentFilter) => void navigate({ search: next, replace: true });
  return (
    <Page title="Incidents" actions={<PastAlerts />}>
      <Box style={{ display: 'flex', flexDirection: 'column', gap: 8, height: `calc(100dvh - ${ABOVE_PX}px)`, minHeight: 420 }}>
        <FilterBar filter={filter} onChange={change} search={search} />
        {shown.error !== undefined && <ErrorPanel error={shown.error} doing="list the incidents" onRetry={shown.retry} />}
        {shown.count === undefined && shown.error === undefined && <Skeleton height={320} />}
        {shown.count === 0 && (
          <EmptyState title={isFiltered(filter) ? 'No incident matches the filters' : 'No incident'}>
            {isFiltered(filter)
              ? 'Remove a filter.'
              : 'When a scan finds a violation, an incident is listed here until the data are in order again.'}
          </EmptyState>
        )}
        {shown.count !== undefined && shown.count > 0 && (
          <>
            <Text size="xs" c="dimmed" role="status" component="div">
              {isFiltered(shown.filter) && total !== undefined
                ? `${countText(shown.count)} of ${countText(total)} incidents`
                : `${countText(shown.count)} incidents`}
              , newest first <BulkActions filter={shown.filter} count={shown.count} />
            </Text>
            <IncidentTable key={JSON.stringify(shown.filter)} filter={shown.filter} count={shown.count} search={search} />
          </>
        )}
      </Box>
    </Page>
  );
}

type Shown = { readonly filter: IncidentFilter; readonly count: number | undefined; readonly error: unknown; readonly retry: () => void };

/** The newest filter whose count and first rows are here, so that the list changes at once and never goes blank while one types. */
function useShown(wanted: IncidentFilter): Shown {
  const { observability } = useServices();
  const [filter, setFilter] = useState(wanted);
  const counts = useQuery(incidentCounts(observability, wanted));
  const first = useQuery(incidentPage(observability, wanted, 0));
  const shown = useQuery(incidentCounts(observability, filter));
  if (filter !== wanted && counts.isSuccess && first.isSuccess) setFilter(wanted);
  const failed = [counts, first].find(({ isError }) => isError);
  return { filter, count: shown.data?.total, error: failed?.error ?? undefined, retry: () => void failed?.refetch() };
}
