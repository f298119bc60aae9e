// SPDX-License-Identifier: Apache-2.0
/** What charts of a series within its band have in common. */
import { useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { type ChartOption, TIME_LABELS } from '../../ui/chart.tsx';
import type { BandedAxis } from './banded-axis.ts';

export type BandColours = { readonly line: string; readonly bad: string; readonly isDark: boolean };

export function useBandColours(): BandColours {
  const theme = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return {
    line: theme.colors.chart?.[isDark ? 4 : 7] ?? '#346db2',
    bad: theme.colors.red[isDark ? 5 : 7] ?? '#c92a2a',
    isDark,
  };
}

type Frame = {
  readonly description: string;
  readonly axis: Pick<BandedAxis, 'min' | 'max'>;
  /** The first moment of the axis; without one, that of the first point. */
  readonly from?: string | undefined;
  readonly isDark: boolean;
  readonly valueLabel: (value: number) => string;
};

/** Axes of time and value, and room for their labels alone. */
export function bandedFrame({ description, axis: { min, max }, from, isDark, valueLabel }: Frame): ChartOption {
  const axisLabel = { color: isDark ? '#b8bdc4' : '#495057', fontSize: 11 };
  return {
    aria: { enabled: true, label: { description } },
    animation: false,
    grid: { left: 4, right: 12, top: 10, bottom: 0, containLabel: true },
    xAxis: {
      axisLine: { onZero: false },
      type: 'time',
      splitNumber: 3,
      min: from ?? 'dataMin',
      axisLabel: { ...axisLabel, hideOverlap: true, formatter: TIME_LABELS },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      min,
      max,
      splitNumber: 3,
      splitLine: { lineStyle: { color: isDark ? '#3a3f47' : '#e9ecef' } },
      axisLabel: { ...axisLabel, showMinLabel: false, showMaxLabel: false, formatter: valueLabel },
    },
  };
}

/** Two stacked lines: what is below the band, and the band. */
export function bandSeries(bands: BandedAxis['bands'], { line, isDark }: Pick<BandColours, 'line' | 'isDark'>) {
  const edge = {
    type: 'line',
    stack: 'band',
    stackStrategy: 'all',
    lineStyle: { opacity: 0 },
    symbol: 'none',
    silent: true,
    tooltip: { show: false },
  };
  return [
    { ...edge, name: 'lower', data: bands.map(({ time, lower }) => [time, lower]) },
    {
      ...edge,
      name: 'band',
      data: bands.map(({ time, lower, upper }) => [time, upper - lower]),
      areaStyle: { color: line, opacity: isDark ? 0.22 : 0.14 },
    },
  ];
}
