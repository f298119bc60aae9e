// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { Asset, ListedJob, MetricHistoryItem } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { openIncidents } from '../../data/incidents/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Moment } from '../../ui/time.tsx';
import type { AssetView } from './asset-view.ts';
import { JobBadge, JobOutcome, StopScan } from './job-status.tsx';
import { MetricCharts } from './metric-charts.tsx';

type AssetOverviewProps = {
  readonly asset: Asset;
  readonly jobs: readonly ListedJob[] | undefined;
  readonly measured: readonly MetricHistoryItem[] | undefined;
  readonly view: AssetView;
  readonly onView: (part: AssetView) => void;
};

/** The last scan, what is open, and what was measured over time. */
export function AssetOverview({ asset, jobs, measured, view, onView }: AssetOverviewProps) {
  const [last] = jobs ?? [];
  const hasGood = jobs?.some(({ status }) => status === 'FINISHED') === true;
  const isMonitored = asset.attributes?.some(({ monitored }) => monitored) === true;
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        <Paper withBorder p="sm">
          <Group justify="space-between" wrap="nowrap">
            <Dimmed size="xs">Last scan</Dimmed>
            {last !== undefined && <StopScan job={last} />}
          </Group>
          {jobs === undefined && <Skeleton height={24} />}
          {jobs?.length === 0 && <Text size="sm">never</Text>}
          {last !== undefined && (
            <Group gap="xs" mt={4}>
              <JobBadge status={last.status} />
              <Text size="sm" c="dimmed" component="span">
                <Moment at={last.created_at} />
              </Text>
              <JobOutcome job={last} />
            </Group>
          )}
        </Paper>
        <OpenHere assetId={asset.id} />
      </SimpleGrid>
      {!isMonitored && (
        <EmptyState
          title="No attribute is measured"
          action={
            <Button variant="default" onClick={() => onView({ tab: 'attributes' })}>
              Choose attributes
            </Button>
          }
        >
          Until attributes are chosen, a scan only counts records.
        </EmptyState>
      )}
      {jobs !== undefined && !hasGood && (
        <EmptyState title="Nothing measured yet">The first scan measures the asset. Later scans learn which values are usual.</EmptyState>
      )}
      {hasGood && measured === undefined && <Skeleton height={240} />}
      {measured !== undefined && measured.length > 0 && (
        <MetricCharts assetId={asset.id} measured={measured} attributes={asset.attributes ?? []} view={view} onView={onView} />
      )}
    </Stack>
  );
}

const SHOWN = 4;

function OpenHere({ assetId }: { readonly assetId: string }) {
  const { observability } = useServices();
  const open = useQuery(openIncidents(observability)).data?.filter(({ asset_id: id }) => id === assetId);
  return (
    <Paper withBorder p="sm">
      <Dimmed size="xs">Open incidents</Dimmed>
      {open === undefined && <Skeleton height={24} />}
      {open?.length === 0 && <Text size="sm">none</Text>}
      <Stack gap={2} mt={4}>
        {open?.slice(0, SHOWN).map(({ id, alert_policy_name: policy, created_time: at }) => (
          <Group key={id} gap="xs" wrap="nowrap">
            <TextLink to={`/incidents/${id}`} truncate>
              {policy}
            </TextLink>
            <Text size="xs" c="dimmed" component="span">
              <Moment at={at} />
            </Text>
          </Group>
        ))}
        {open !== undefined && open.length > SHOWN && <Dimmed size="xs">and {open.length - SHOWN} more</Dimmed>}
      </Stack>
    </Paper>
  );
}
