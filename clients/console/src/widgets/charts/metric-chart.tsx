// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'react';
import { type MeasuredPoint, pointNotes, type SeriesUnit, valueText } from '../../data/metrics/series.ts';
import { Chart, type ChartOption } from '../../ui/chart.tsx';
import { bandedAxis } from './banded-axis.ts';
import { type BandColours, bandedFrame, bandSeries, useBandColours } from './banded-chart.ts';

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

/** The value of each scan within the band that was learned; what was out of it is marked, what is excluded from learning is hollow. */
export function MetricChart({ title, series, points, from, onPick }: MetricChartProps) {
  const { line, bad, isDark } = useBandColours();
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

type Drawn = Omit<MetricChartProps, 'onPick'> & BandColours;

function optionOf({ title, series, points, from, line, bad, isDark }: Drawn): ChartOption {
  const axis = bandedAxis(points);
  const banded = axis.bands.filter((_, index) => points[index]?.lower_bound != null || points[index]?.upper_bound != null);
  const valueLabel = (value: number) =>
    series.isTime ? valueText(series, value).slice(0, 10) : valueText(series, Number(value.toPrecision(4)));
  return {
    ...bandedFrame({ description: `${title}: ${points.length} values`, axis, from, isDark, valueLabel }),
    tooltip: {
      trigger: 'item',
      formatter: ({ dataIndex }: { readonly dataIndex: number }) => tooltipOf(series, points[dataIndex]),
    },
    series: [
      ...bandSeries(banded, { line, isDark }),
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
