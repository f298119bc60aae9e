// SPDX-License-Identifier: Apache-2.0
import { Select, Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { hasLineage } from '../../data/assets/lineage.ts';
import { useAssetRows } from '../../data/assets/use-asset-rows.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Page } from '../../ui/page.tsx';
import { ColumnSources } from './column-sources.tsx';
import { ColumnTargets } from './column-targets.tsx';
import { LineageList } from './lineage-list.tsx';

const LineageGraph = lazy(async () => ({ default: (await import('./lineage-graph.tsx')).LineageGraph }));
const HEIGHT = 'max(320px, calc(100dvh - 260px))';

const route = getRouteApi('/members/lineage');

/** Where all data come from and go to, with how they are. */
export function LineageScreen() {
  const { asset: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const { rows, isHealthKnown, error, retry } = useAssetRows();
  const linked = useMemo(() => rows?.filter(({ asset }) => hasLineage(asset)), [rows]);
  const row = linked?.find(({ asset }) => asset.id === chosen);
  return (
    <Page title="Lineage">
      {error !== null && <ErrorPanel error={error} doing="list the assets" onRetry={retry} />}
      {rows === undefined && error === null && <Skeleton height={400} />}
      {linked?.length === 0 && (
        <EmptyState title="No asset has a source asset">
          Set the sources of an asset on its page, under Lineage. Monitors then compare the asset with its sources, and an incident shows
          which assets it may affect.
        </EmptyState>
      )}
      {rows !== undefined && linked !== undefined && linked.length > 0 && (
        <>
          <Dimmed>
            {countText(linked.length)} of {countText(rows.length)} assets are derived from another asset or used by one.
          </Dimmed>
          <Select
            aria-label="Asset to show"
            placeholder="Find an asset"
            data={linked.map(({ asset, project }) => ({ value: asset.id, label: `${asset.name} (${project})` }))}
            value={row?.asset.id ?? null}
            onChange={(id) => void navigate({ search: id === null ? {} : { asset: id }, replace: true })}
            limit={50}
            clearable
            searchable
            maw={360}
          />
          {row !== undefined && (
            <>
              <LineageList row={row} rows={linked} />
              <ColumnSources row={row} rows={linked} />
              <ColumnTargets row={row} rows={linked} />
            </>
          )}
          <Suspense fallback={<Skeleton height={400} />}>
            <LineageGraph key={row?.asset.id ?? 'all'} rows={linked} chosen={row?.asset.id} isHealthKnown={isHealthKnown} height={HEIGHT} />
          </Suspense>
        </>
      )}
    </Page>
  );
}
