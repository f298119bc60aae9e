import { Button, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { IncidentDetail, IncidentMetric, MetricHistoryItem } from '@sextant/sdk';
import { useQueries } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { hasViolation, seriesOf } from '../assets/queries.ts';
import { PointCare } from './point-care.tsx';
import { Section } from './section.tsx';

const MetricChart = lazy(async () => ({ default: (await import('../assets/metric-chart.tsx')).MetricChart }));

/** Each is a request and a chart. */
const SHOWN = 4;
/** Scans before and since the violation. */
const POINTS = 120;

/** What the incident is about over time: the band that was learned, and what was out of it. */
export function IncidentCharts({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const [shown, setShown] = useState(SHOWN);
  const metrics = incident.metrics.slice(0, shown);
  const histories = useQueries({
    queries: metrics.map((metric) => ({
      queryKey: [
        'observability',
        'asset',
        incident.asset_id,
        'metrics',
        metric.metric_name,
        metric.metric_aggregation,
        metric.attribute,
        metric.segment,
      ],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        observability.listMetrics(
          {
            asset_id: incident.asset_id,
            metric_name: metric.metric_name,
            metric_aggregation: metric.metric_aggregation,
            attribute: metric.attribute ?? '',
            segment: metric.segment ?? '',
            limit: POINTS,
          },
          { signal },
        ),
    })),
  });
  if (metrics.length === 0) return null;
  const failed = histories.find(({ isError }) => isError);
  const drawn = metrics.flatMap((metric, index) => {
    const points = histories[index]?.data;
    if (points === undefined) return [];
    // Rules and expressions of several monitors share a metric's name.
    const series = seriesOf(points);
    const own = series.find((each) => each.points[0]?.monitor_id === incident.alert_policy_id) ?? series.find(hasViolation) ?? series[0];
    return own === undefined ? [] : [{ metric, points: own.points }];
  });
  const isLoading = histories.some(({ isPending }) => isPending);
  if (!isLoading && failed === undefined && drawn.length === 0) return null;
  return (
    <Section id="metrics" title="Metrics">
      {failed !== undefined && <ErrorPanel error={failed.error} doing="read what was measured" onRetry={() => void failed.refetch()} />}
      <SimpleGrid cols={{ base: 1, lg: drawn.length > 1 ? 2 : 1 }} spacing="sm">
        {drawn.map(({ metric, points }) => (
          <MetricHistory
            key={JSON.stringify(metric)}
            assetId={incident.asset_id}
            incidentId={incident.id}
            metric={metric}
            points={points}
          />
        ))}
        {isLoading && <Skeleton height={200} />}
      </SimpleGrid>
      {incident.metrics.length > shown && (
        <Button variant="subtle" mt="xs" onClick={() => setShown(shown + SHOWN)}>
          Show more of {countText(incident.metrics.length)} metrics
        </Button>
      )}
    </Section>
  );
}

type MetricHistoryProps = {
  readonly assetId: string;
  readonly incidentId: number;
  readonly metric: IncidentMetric;
  readonly points: readonly MetricHistoryItem[];
};

function MetricHistory({ assetId, incidentId, metric, points }: MetricHistoryProps) {
  const title = metricInWords(metric);
  return (
    <Paper withBorder p="sm">
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      <Suspense fallback={<Skeleton height={160} />}>
        <MetricChart title={title} points={points} />
      </Suspense>
      <PointCare assetId={assetId} incidentId={incidentId} points={points} />
    </Paper>
  );
}

function metricInWords({ display_metric_name: name, metric_aggregation: how, attribute, segment, rule }: IncidentMetric): string {
  const aggregation = how === '' || name.toLowerCase() === how.toLowerCase() ? '' : ` (${how})`;
  const of = attribute === null ? '' : ` of ${attribute}`;
  const where = segment === null ? '' : ` where ${segment}`;
  return `${name}${aggregation}${of}${where}${rule === null ? '' : `: ${rule}`}`;
}
