import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { Chart, type ChartOption, TIME_LABELS } from '../../ui/chart.tsx';
import { scoreText } from '../../ui/figures.ts';
import { type BandedAxis, bandedAxis } from './banded-axis.ts';
import type { PreviewSeries } from './preview.ts';

type PreviewChartProps = { readonly title: string; readonly series: PreviewSeries; readonly height: number };

/** The value of each scan and the band that it was held against; a side without a bound is open to the edge. What is out of it is marked. */
export function PreviewChart({ title, series: { points, violations }, height }: PreviewChartProps) {
  const theme = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const line = theme.colors.chart?.[isDark ? 4 : 7] ?? '#346db2';
  const bad = theme.colors.red[isDark ? 5 : 7] ?? '#e03131';
  const axis = bandedAxis(points);
  const option: ChartOption = {
    aria: { enabled: true, label: { description: `${title}: ${points.length} values, ${violations} out of the band` } },
    animation: false,
    grid: { left: 8, right: 12, top: 10, bottom: 4, containLabel: true },
    xAxis: { type: 'time', splitNumber: 4, axisLabel: { hideOverlap: true, formatter: TIME_LABELS } },
    yAxis: {
      type: 'value',
      min: axis.min,
      max: axis.max,
      splitNumber: 3,
      axisLabel: { formatter: (value: number) => scoreText(value), showMinLabel: false, showMaxLabel: false },
    },
    tooltip: { trigger: 'axis', formatter: (params: unknown) => tooltipOf(params, points) },
    series: [
      ...bandSeries(axis, isDark ? 'rgba(101,150,209,0.18)' : 'rgba(52,109,178,0.12)'),
      {
        name: 'value',
        type: 'line',
        color: line,
        lineStyle: { width: 1.5 },
        symbol: 'circle',
        data: points.map(({ metric_time, value, is_violation }) => ({
          value: [metric_time, value],
          symbolSize: is_violation ? 9 : 5,
          itemStyle: { color: is_violation ? bad : line },
        })),
      },
    ],
  };
  return <Chart option={option} height={height} label={`${title}: ${points.length} values, ${violations} out of the band`} />;
}

/** Two stacked lines: what is below the band, and the band. */
function bandSeries({ bands }: BandedAxis, colour: string) {
  const shared = {
    type: 'line',
    stack: 'band',
    stackStrategy: 'all',
    lineStyle: { opacity: 0 },
    symbol: 'none',
    silent: true,
    tooltip: { show: false },
  };
  return [
    { ...shared, name: 'from', data: bands.map(({ time, lower }) => [time, lower]) },
    { ...shared, name: 'band', data: bands.map(({ time, lower, upper }) => [time, upper - lower]), areaStyle: { color: colour } },
  ];
}

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The library takes it as markup, so nothing is in it but numbers and words of ours. */
function tooltipOf(params: unknown, points: PreviewSeries['points']): string {
  // The library hands out what stands at the place that is pointed at, with the index of its point.
  const [{ dataIndex } = { dataIndex: 0 }] = params as readonly { readonly dataIndex: number }[];
  const point = points[dataIndex];
  if (point === undefined) return '';
  const { lower_bound: lower, upper_bound: upper, is_violation } = point;
  const band = [
    lower === null ? undefined : `not below ${scoreText(lower)}`,
    upper === null ? undefined : `not above ${scoreText(upper)}`,
  ].filter((each) => each !== undefined);
  return [
    when.format(new Date(point.metric_time)),
    `<b>${scoreText(point.value)}</b>${is_violation ? ' would have raised an alert' : ''}`,
    band.join(', '),
  ].join('<br>');
}
