// SPDX-License-Identifier: Apache-2.0
import { Skeleton, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { type CollectionFacts, collectionInfo, vectorFields } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import type { CollectionTab } from './collection-search.ts';
import { StatusBadge } from './collection-status.tsx';
import { Overview } from './overview.tsx';

/** What other features show of a collection. */
export type CollectionParts = Readonly<Record<'Points' | 'Search' | 'VectorMap', ComponentType<CollectionFacts>>>;

const LABELS: Readonly<Record<CollectionTab, string>> = { overview: 'Overview', points: 'Points', search: 'Search', map: 'Map' };

const route = getRouteApi('/collections/$name');

export function CollectionScreen({ parts: { Points, Search, VectorMap } }: { readonly parts: CollectionParts }) {
  const { name } = route.useParams();
  const { tab = 'overview' } = route.useSearch();
  const navigate = route.useNavigate();
  const { vector } = useServices();
  const info = useQuery(collectionInfo(vector, name));
  if (info.isError) {
    return (
      <Page title={name}>
        <ErrorPanel error={info.error} doing="read the collection" onRetry={() => void info.refetch()} />
      </Page>
    );
  }
  if (info.data === undefined) return <Skeleton height={240} />;
  const facts = { name, info: info.data, fields: vectorFields(info.data) };
  const screens: Readonly<Record<CollectionTab, ReactNode>> = {
    overview: <Overview {...facts} />,
    points: <Points {...facts} />,
    search: <Search {...facts} />,
    map: <VectorMap {...facts} />,
  };
  return (
    <Page title={name} beside={<StatusBadge status={info.data.status} />}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => void navigate({ search: (before) => ({ ...before, tab: isTab(value) ? value : 'overview' }) })}
      >
        <Tabs.List mb="md">
          {Object.entries(LABELS).map(([value, label]) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(screens).map(([value, screen]) => (
          <Tabs.Panel key={value} value={value}>
            <Suspense fallback={<Skeleton height={240} />}>{screen}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function isTab(value: string | null): value is CollectionTab {
  return value !== null && Object.hasOwn(LABELS, value);
}
