import { Paper, Select, SimpleGrid, Skeleton, Text, Title } from '@mantine/core';
import type { MetricHistoryItem } from '@sextant/sdk';
import { lazy, Suspense, useMemo, useState } from 'react';
import { hasViolation, type Series, seriesOf } from './queries.ts';

const MetricChart = lazy(async () => ({ default: (await import('./metric-chart.tsx')).MetricChart }));

const WHOLE = 'the asset as a whole';
const CHARTS_MAX = 24;

/** Metrics over time, those that were out of order first. */
export function MetricCharts({ history }: { readonly history: readonly MetricHistoryItem[] }) {
  const series = useMemo(() => seriesOf(history), [history]);
  const attributes = [...new Set(series.map(({ attribute }) => attribute ?? WHOLE))];
  const violated = series.filter(hasViolation);
  const [attribute, setAttribute] = useState<string | null>(violated.length > 0 ? null : WHOLE);
  const chosen = attribute === null ? violated : series.filter((each) => (each.attribute ?? WHOLE) === attribute);
  return (
    <section aria-labelledby="metrics">
      <Title order={2} size="h5" mb="xs" id="metrics">
        Metrics over time
      </Title>
      <Select
        label="Of"
        data={attributes}
        value={attribute}
        onChange={setAttribute}
        placeholder="what was out of order"
        clearable={violated.length > 0}
        searchable
        mb="sm"
        maw={320}
      />
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="sm">
        {chosen.slice(0, CHARTS_MAX).map((each) => (
          <Paper key={each.key} withBorder p="sm">
            <Text size="sm" fw={500}>
              {titleOf(each)}
            </Text>
            <Suspense fallback={<Skeleton height={160} />}>
              <MetricChart title={titleOf(each)} points={each.points} />
            </Suspense>
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  );
}

function titleOf({ metric, aggregation, attribute, segment }: Series): string {
  const name = metric.toLowerCase().replaceAll('_', ' ');
  const how = aggregation === '' || aggregation === metric ? '' : ` (${aggregation.toLowerCase().replaceAll('_', ' ')})`;
  const where = segment === null ? '' : ` where ${segment}`;
  return `${name}${how}${attribute === null ? '' : ` of ${attribute}`}${where}`;
}
