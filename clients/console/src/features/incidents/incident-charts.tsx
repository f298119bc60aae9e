// SPDX-License-Identifier: Apache-2.0
import { Button, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { IncidentDetail, IncidentMetric } from '@sextant/sdk';
import { useQueries, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { assetDetail } from '../../data/assets/queries.ts';
import { incidentMetricHistory } from '../../data/metrics/queries.ts';
import { hasValue, isTimeMetric, type MeasuredPoint } from '../../data/metrics/series.ts';
import { useServices } from '../../data/services/services.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Section } from '../../ui/section.tsx';
import { PointCare } from './point-care.tsx';

const MetricChart = lazy(async () => ({ default: (await import('../../widgets/charts/metric-chart.tsx')).MetricChart }));

/** Each is a request and a chart. */
const SHOWN = 4;

/** What the incident is about over time: the band that was learned, and what was out of it. */
export function IncidentCharts({ incident }: { readonly incident: IncidentDetail }) {
  const { observability } = useServices();
  const [shown, setShown] = useState(SHOWN);
  const metrics = incident.metrics.slice(0, shown);
  const known = useQuery(assetDetail(observability, String(incident.project_id), incident.asset_id)).data?.attributes ?? [];
  const histories = useQueries({ queries: metrics.map((metric) => incidentMetricHistory(observability, incident.asset_id, metric)) });
  if (metrics.length === 0) return null;
  const failed = histories.find(({ isError }) => isError);
  const drawn = metrics.flatMap((metric, index) => {
    const points = histories[index]?.data;
    if (points === undefined) return [];
    // Rules and expressions of several monitors share a metric's name.
    const series = [...Map.groupBy(points.filter(hasValue), ({ monitor_id: monitorId }) => monitorId).values()];
    const ofPolicy = series.find((each) => each[0]?.monitor_id === incident.alert_policy_id);
    const own = ofPolicy ?? series.find((each) => each.some(({ is_violation: isViolation }) => isViolation)) ?? series[0];
    return own === undefined ? [] : [{ metric, points: own }];
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
            isTime={isTimeMetric(metric, known)}
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
  readonly points: readonly MeasuredPoint[];
  readonly isTime: boolean;
};

function MetricHistory({ assetId, incidentId, metric, points, isTime }: MetricHistoryProps) {
  const title = metricText(metric);
  const [first] = points;
  if (first === undefined) return null;
  const series = { metric: first.metric_name, aggregation: first.metric_aggregation, isTime };
  return (
    <Paper withBorder p="sm">
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      <Suspense fallback={<Skeleton height={160} />}>
        <MetricChart title={title} series={series} points={points} />
      </Suspense>
      <PointCare assetId={assetId} incidentId={incidentId} series={series} points={points} />
    </Paper>
  );
}

function metricText({ display_metric_name: name, metric_aggregation: how, attribute, segment, rule }: IncidentMetric): string {
  const aggregation = how === '' || name.toLowerCase() === how.toLowerCase() ? '' : ` (${how})`;
  const of = attribute === null ? '' : ` of ${attribute}`;
  const where = segment === null ? '' : ` where ${segment}`;
  return `${name}${aggregation}${of}${where}${rule === null ? '' : `: ${rule}`}`;
}
