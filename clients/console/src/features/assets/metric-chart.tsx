import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useMemo } from 'react';
import { Chart, type ChartOption, TIME_LABELS } from '../../ui/chart.tsx';
import { bandedAxis } from '../monitors/banded-axis.ts';
import { type MeasuredPoint, pointNotes } from './point-words.ts';
import { type SeriesUnit, valueText } from './series.ts';

type MetricChartProps = {
  readonly title: string;
  readonly series: SeriesUnit;
  /** Oldest first; at least one. */
  readonly points: readonly MeasuredPoint[];
  /** The first moment of the axis, which all charts share; without one, that of the first point. */
  readonly from?: string | undefined;
  readonly onPick?: (point: MeasuredPoint) => void;
};

const VALUES = 'value';
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The value of each scan within the band that was learned; what was out of it is marked, what is left out of learning is hollow. */
export function MetricChart({ title, series, points, from, onPick }: MetricChartProps) {
  const theme = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const line = theme.colors.chart?.[isDark ? 4 : 7] ?? '#346db2';
  const bad = theme.colors.red[isDark ? 5 : 7] ?? '#c92a2a';
  const option = useMemo(
    () => optionOf({ title, series, points, from, line, bad, isDark }),
    [title, series, points, from, line, bad, isDark],
  );
  return (
    <Chart
      option={option}
      height={150}
      label={`${title}, ${points.length} values over time`}
      onPick={(name, index) => {
        const point = points[index];
        if (name === VALUES && point !== undefined) onPick?.(point);
      }}
    />
  );
}

type Drawn = Omit<MetricChartProps, 'onPick'> & { readonly line: string; readonly bad: string; readonly isDark: boolean };

function optionOf({ title, series, points, from, line, bad, isDark }: Drawn): ChartOption {
  const { min, max, bands } = bandedAxis(points);
  const banded = bands.filter((_, index) => points[index]?.lower_bound != null || points[index]?.upper_bound != null);
  const edge = {
    type: 'line',
    stack: 'band',
    stackStrategy: 'all',
    lineStyle: { opacity: 0 },
    symbol: 'none',
    silent: true,
    tooltip: { show: false },
  };
  const grid = {
    splitLine: { lineStyle: { color: isDark ? '#3a3f47' : '#e9ecef' } },
    axisLabel: { color: isDark ? '#b8bdc4' : '#495057', fontSize: 11 },
  };
  return {
    aria: { enabled: true, label: { description: `${title}: ${points.length} values` } },
    animation: false,
    grid: { left: 4, right: 12, top: 10, bottom: 0, containLabel: true },
    xAxis: {
      axisLine: { onZero: false },
      type: 'time',
      splitNumber: 3,
      min: from ?? 'dataMin',
      ...grid,
      axisLabel: { ...grid.axisLabel, hideOverlap: true, formatter: TIME_LABELS },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      min,
      max,
      splitNumber: 3,
      ...grid,
      axisLabel: {
        ...grid.axisLabel,
        showMinLabel: false,
        showMaxLabel: false,
        formatter: (value: number) =>
          series.isTime ? valueText(series, value).slice(0, 10) : valueText(series, Number(value.toPrecision(4))),
      },
    },
    tooltip: {
      trigger: 'item',
      formatter: ({ dataIndex }: { readonly dataIndex: number }) => tooltipOf(series, points[dataIndex]),
    },
    series: [
      { ...edge, name: 'lower', data: banded.map(({ time, lower }) => [time, lower]) },
      {
        ...edge,
        name: 'band',
        data: banded.map(({ time, lower, upper }) => [time, upper - lower]),
        areaStyle: { color: line, opacity: isDark ? 0.22 : 0.14 },
      },
      {
        name: VALUES,
        type: 'line',
        color: line,
        lineStyle: { width: 1.5 },
        symbol: 'circle',
        data: points.map((each) => ({
          value: [each.metric_time, each.value],
          symbol: each.is_violation ? 'diamond' : 'circle',
          symbolSize: each.is_violation ? 12 : 7,
          itemStyle: each.is_excluded
            ? { color: isDark ? '#242424' : '#fff', borderColor: each.is_violation ? bad : line, borderWidth: 1.5 }
            : { color: each.is_violation ? bad : line },
        })),
      },
    ],
  };
}

function tooltipOf(series: SeriesUnit, point: MeasuredPoint | undefined): string {
  if (point === undefined) return '';
  return [moment.format(new Date(point.metric_time)), `<b>${valueText(series, point.value)}</b>`, ...pointNotes(series, point)].join(
    '<br>',
  );
}
