// SPDX-License-Identifier: Apache-2.0
import { Anchor, Badge, Box, Button, Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Asset, ListedJob } from '@sextant/sdk';
import { IconPlayerPlay, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { type AssetRow, kindText } from '../../data/assets/asset-rows.ts';
import { assetDetail, refreshFindings } from '../../data/assets/queries.ts';
import { useAssetRows } from '../../data/assets/use-asset-rows.ts';
import { refreshIncidents } from '../../data/incidents/queries.ts';
import { assetJobs, isRunning, refreshJobs, useScanEnd, useStartScan } from '../../data/jobs.ts';
import { measuredBy } from '../../data/metrics/queries.ts';
import { highlightedMap } from '../../data/points/highlighted-points.ts';
import { refreshScores } from '../../data/scores.ts';
import { useServices } from '../../data/services/services.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';
import { OpenIncidentsBadge, ScoreBadge } from '../../widgets/health-badges.tsx';
import { UploadFile } from '../../widgets/upload-file.tsx';
import { AssetOverview } from './asset-overview.tsx';
import { type AssetTab, type AssetView, TABS } from './asset-view.ts';
import { AttributeTable } from './attribute-table.tsx';
import { JobTable } from './job-table.tsx';
import { SchemaHistory } from './schema-changes.tsx';
import { ScoreBreakdown } from './score/score-breakdown.tsx';
import { Suggestions } from './suggestions/suggestions.tsx';

const AssetSettings = lazy(async () => ({ default: (await import('./settings/asset-settings.tsx')).AssetSettings }));

const LABELS: { readonly [tab in AssetTab]: string } = {
  overview: 'Overview',
  score: 'Score',
  attributes: 'Attributes',
  scans: 'Scans',
  monitors: 'Monitors',
  suggestions: 'Suggestions',
  schema: 'Schema changes',
  lineage: 'Lineage',
  settings: 'Settings',
};

const route = getRouteApi('/members/assets/$projectId/$assetId');

/** What other features show of an asset. */
export type AssetParts = {
  readonly Monitors: ComponentType<{ readonly projectId: string; readonly assetId: string }>;
  readonly Lineage: ComponentType<{ readonly row: AssetRow; readonly rows: readonly AssetRow[] }>;
};

/** One asset: how it is, what was measured of it over time, its scans, and what is decided about it. */
export function AssetScreen({ parts }: { readonly parts: AssetParts }) {
  const { projectId, assetId } = route.useParams();
  const { observability } = useServices();
  const asset = useQuery(assetDetail(observability, projectId, assetId));
  const jobs = useQuery(assetJobs(observability, assetId));
  useScanEnd(jobs.data, () => {
    void refreshFindings(assetId);
    void refreshJobs();
    void refreshScores();
    void refreshIncidents();
  });
  if (asset.isError) {
    return (
      <Page title="Asset">
        <ErrorPanel error={asset.error} doing="read the asset" onRetry={() => void asset.refetch()} />
      </Page>
    );
  }
  if (asset.data === undefined) return <Skeleton height={320} />;
  return <OpenAsset key={assetId} asset={asset.data} jobs={jobs.data} jobsError={jobs.error} parts={parts} />;
}

/** Lights what the last scan found fault with, once there is one. */
function MapLink({ collection, jobId }: { readonly collection: string; readonly jobId: string | undefined }) {
  const place =
    jobId === undefined
      ? ({ to: '/collections/$name', params: { name: collection }, search: { tab: 'map' } } as const)
      : highlightedMap({ collection, jobId });
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} {...place} />}>
      map of the vectors
    </Anchor>
  );
}

type OpenAssetProps = {
  readonly asset: Asset;
  readonly jobs: readonly ListedJob[] | undefined;
  readonly jobsError: unknown;
  readonly parts: AssetParts;
};

function OpenAsset({ asset, jobs, jobsError, parts: { Monitors, Lineage } }: OpenAssetProps) {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const { rows } = useAssetRows();
  const { observability } = useServices();
  const lastGood = jobs?.find(({ status }) => status === 'FINISHED');
  const measured = useQuery(measuredBy(observability, asset.id, lastGood?.id)).data;
  const row = rows?.find((each) => each.asset.id === asset.id);
  const tab = view.tab ?? 'overview';
  const change = (part: AssetView) => void navigate({ search: { ...view, ...part }, replace: true, resetScroll: false });
  const panels: { readonly [tab in AssetTab]: () => ReactNode } = {
    overview: () => <AssetOverview asset={asset} jobs={jobs} measured={measured} view={view} onView={change} />,
    score: () => <ScoreBreakdown asset={asset} />,
    attributes: () => (
      <AttributeTable
        projectId={String(asset.project_id)}
        assetId={asset.id}
        attributes={asset.attributes ?? []}
        measured={measured ?? []}
      />
    ),
    scans: () => jobs !== undefined && <JobTable jobs={jobs} chosen={view.job} onChoose={(job) => change({ job })} />,
    monitors: () => <Monitors projectId={String(asset.project_id)} assetId={asset.id} />,
    suggestions: () => <Suggestions asset={asset} />,
    schema: () => <SchemaHistory assetId={asset.id} />,
    lineage: () => rows !== undefined && row !== undefined && <Lineage row={row} rows={rows} />,
    settings: () => <AssetSettings asset={asset} measured={measured} />,
  };
  return (
    <Page
      title={asset.name}
      part={LABELS[tab]}
      beside={
        <>
          <Badge variant="default">{kindText(asset.type)}</Badge>
          <ScoreBadge score={row?.score} />
          {row !== undefined && <OpenIncidentsBadge open={row.open} />}
          {asset.type === 'VECTOR_COLLECTION' && typeof asset.payload.collection === 'string' && (
            <MapLink collection={asset.payload.collection} jobId={lastGood?.id} />
          )}
        </>
      }
      actions={<Actions asset={asset} isBusy={jobs?.some(({ status }) => isRunning(status)) === true} />}
    >
      {(asset.description !== null || asset.tags.length > 0) && (
        <Group gap="xs">
          {asset.description !== null && <Text size="sm">{asset.description}</Text>}
          {asset.tags.map((tag) => (
            <Badge key={tag} variant="light" color="gray" size="sm">
              {tag}
            </Badge>
          ))}
        </Group>
      )}
      {jobsError !== null && <ErrorPanel error={jobsError} doing="list the scans" />}
      <Tabs value={tab} keepMounted={false} onChange={(value) => change({ tab: TABS.find((each) => each === value), job: undefined })}>
        <Box style={{ overflowX: 'auto', scrollbarWidth: 'none' }} mb="md">
          <Tabs.List style={{ flexWrap: 'nowrap', width: 'max-content', minWidth: '100%' }}>
            {TABS.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {LABELS[each]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Box>
        {TABS.map((each) => (
          <Tabs.Panel key={each} value={each}>
            <Suspense fallback={<Skeleton height={240} />}>{each === tab && panels[each]()}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function Actions({ asset, isBusy }: { readonly asset: Asset; readonly isBusy: boolean }) {
  const [isUploading, { open, close }] = useDisclosure(false);
  const scan = useStartScan(asset.id);
  return (
    <Stack gap="xs" align="end">
      <Group gap="xs">
        {asset.type === 'UPLOAD' && (
          <Button variant="default" leftSection={<IconUpload size={14} />} onClick={open}>
            Upload the next delivery
          </Button>
        )}
        <Button leftSection={<IconPlayerPlay size={14} />} loading={scan.isPending} disabled={isBusy} onClick={() => scan.mutate()}>
          Scan now
        </Button>
      </Group>
      {scan.isError && <ErrorPanel error={scan.error} doing="start a scan" />}
      {isUploading && <UploadFile asset={asset} onClose={close} />}
    </Stack>
  );
}
