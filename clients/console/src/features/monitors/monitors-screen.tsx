// SPDX-License-Identifier: Apache-2.0
import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { assetList } from '../../data/assets/queries.ts';
import { openIncidents } from '../../data/incidents/queries.ts';
import { erroredChecks } from '../../data/jobs.ts';
import { tenantMonitors } from '../../data/monitors.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { FilteredList } from '../../ui/filtered-list.tsx';
import { Page } from '../../ui/page.tsx';
import { KIND_LABELS, MONITOR_KINDS, MONITOR_STATES, type MonitorFilter, type MonitorSort, STATE_LABELS } from './monitor-filter.ts';
import { filteredMonitors, inState, type MonitorRow, monitorRows, sortedMonitors } from './monitor-rows.ts';
import { MonitorTable } from './monitor-table.tsx';

const route = getRouteApi('/members/monitors');

/** What is watched, of all assets. */
export function MonitorsScreen() {
  const { observability } = useServices();
  const filter = route.useSearch();
  const assets = useQuery(assetList(observability));
  const incidents = useQuery(openIncidents(observability)).data;
  const errored = useQuery(erroredChecks(observability)).data;
  const monitors = useInfiniteQuery(
    tenantMonitors(observability, { asset: filter.asset, prebuilt: filter.kind && filter.kind === 'prebuilt' }),
  );
  const { hasNextPage, isFetching, isError, fetchNextPage } = monitors;
  // Rows that are here are shown while the others are read.
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const rows = useMemo(
    () =>
      monitors.data === undefined || assets.data === undefined
        ? undefined
        : monitorRows({
            monitors: monitors.data.pages.flat(),
            assets: assets.data,
            openIncidents: incidents ?? [],
            erroredChecks: errored ?? [],
          }),
    [monitors.data, assets.data, incidents, errored],
  );
  const failed = [assets, monitors].find((each) => each.isError);
  return (
    <Page title="Monitors">
      {failed !== undefined && <ErrorPanel error={failed.error} doing="list the monitors" onRetry={() => void failed.refetch()} />}
      {assets.data?.length === 0 ? (
        <EmptyState
          title="Nothing is watched yet"
          action={
            <Button component={Link} to="/assets">
              Go to assets
            </Button>
          }
        >
          Every asset gets pre-built monitors with its first scan. You can add your own.
        </EmptyState>
      ) : (
        rows === undefined && failed === undefined && <Skeleton height={320} />
      )}
      {assets.data !== undefined && assets.data.length > 0 && rows !== undefined && (
        <FoundMonitors rows={rows} filter={filter} assets={assets.data} isReading={hasNextPage} />
      )}
    </Page>
  );
}

type FoundMonitorsProps = {
  readonly rows: readonly MonitorRow[];
  readonly filter: MonitorFilter;
  readonly assets: readonly { readonly id: string; readonly name: string }[];
  /** Whether there are more. */
  readonly isReading: boolean;
};

/** The list with its filters, which stand in the address. */
function FoundMonitors({ rows, filter, assets, isReading }: FoundMonitorsProps) {
  const navigate = route.useNavigate();
  const change = (part: MonitorFilter) => void navigate({ search: { ...filter, ...part }, replace: true });
  const found = useMemo(() => filteredMonitors(rows, filter), [rows, filter]);
  const shown = useMemo(() => sortedMonitors(inState(found, filter.state), filter), [found, filter]);
  const assetChoices = useMemo(
    () => assets.map(({ id, name }) => ({ value: id, label: name })).toSorted((a, b) => a.label.localeCompare(b.label)),
    [assets],
  );
  const sortBy = (sort: MonitorSort) => {
    const isSame = (filter.sort ?? 'state') === sort;
    change({ sort, desc: isSame && filter.desc !== true ? true : undefined });
  };
  return (
    <FilteredList
      search={{ label: 'Find by name, asset, tag or metric', value: filter.q, onChange: (q) => change({ q }) }}
      choices={[
        { label: 'Asset', options: assetChoices, value: filter.asset, onChange: (asset) => change({ asset }), width: 190 },
        {
          label: 'Kind',
          options: MONITOR_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
          value: filter.kind,
          onChange: (chosen) => change({ kind: MONITOR_KINDS.find((kind) => kind === chosen) }),
          width: 150,
        },
      ]}
      states={{
        label: 'State',
        options: MONITOR_STATES.map((value) => ({ value, label: STATE_LABELS[value], count: inState(found, value).length })),
        total: found.length,
        chosen: filter.state,
        onChoose: (state) => change({ state }),
      }}
      status={
        isReading && (
          <Dimmed size="xs" role="status">
            {countText(rows.length)} so far, loading more
          </Dimmed>
        )
      }
      none={
        shown.length > 0 || isReading
          ? undefined
          : {
              title: 'No monitor matches the filters',
              showAll: 'Show all',
              onShowAll: () => void navigate({ search: {}, replace: true }),
            }
      }
    >
      <MonitorTable rows={shown} filter={filter} onSort={sortBy} />
    </FilteredList>
  );
}
