import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import type { MetricHistoryItem } from '@sextant/sdk';
import { Chart, type ChartOption } from '../../ui/chart.tsx';
import { scoreText } from '../../ui/figures.ts';

type MetricChartProps = { readonly title: string; readonly points: readonly MetricHistoryItem[] };

/** The value of each scan within the band that was learned; what was out of it is marked, what is left out of learning is hollow. */
export function MetricChart({ title, points }: MetricChartProps) {
  const theme = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const line = theme.colors.chart?.[isDark ? 4 : 7] ?? '#346db2';
  const band = isDark ? 'rgba(101,150,209,0.18)' : 'rgba(52,109,178,0.12)';
  const bad = theme.colors.red[isDark ? 5 : 7];
  const banded = points.filter(({ lower_bound: lower, upper_bound: upper }) => lower !== null && upper !== null);
  const option: ChartOption = {
    aria: { enabled: true, label: { description: `${title}: ${points.length} values` } },
    animation: false,
    grid: { left: 8, right: 12, top: 12, bottom: 4, containLabel: true },
    xAxis: { type: 'time', splitNumber: 3 },
    yAxis: { type: 'value', scale: true, splitNumber: 3, axisLabel: { formatter: (value: number) => scoreText(value) } },
    tooltip: { trigger: 'axis', valueFormatter: (value: unknown) => (typeof value === 'number' ? scoreText(value) : '') },
    series: [
      {
        name: 'from',
        type: 'line',
        data: banded.map((each) => [each.metric_time, each.lower_bound]),
        stack: 'band',
        lineStyle: { opacity: 0 },
        symbol: 'none',
        tooltip: { show: false },
      },
      {
        name: 'learned band',
        type: 'line',
        data: banded.map((each) => [each.metric_time, (each.upper_bound ?? 0) - (each.lower_bound ?? 0)]),
        stack: 'band',
        stackStrategy: 'all',
        lineStyle: { opacity: 0 },
        areaStyle: { color: band },
        symbol: 'none',
        tooltip: { show: false },
      },
      {
        name: 'value',
        type: 'line',
        color: line,
        lineStyle: { width: 1.5 },
        symbol: 'circle',
        data: points.map((each) => ({
          value: [each.metric_time, each.value],
          symbolSize: each.is_violation ? 9 : 5,
          itemStyle: each.is_excluded
            ? { color: 'transparent', borderColor: line, borderWidth: 1.5 }
            : { color: each.is_violation ? bad : line },
        })),
      },
    ],
  };
  return <Chart option={option} height={160} label={`${title}, ${points.length} values over time`} />;
}
