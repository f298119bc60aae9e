// SPDX-License-Identifier: Apache-2.0
import { Chart, type ChartOption } from '../../ui/chart.tsx';
import { scoreText } from '../../ui/figures.ts';
import { bandedAxis } from '../../widgets/charts/banded-axis.ts';
import { bandedFrame, bandSeries, useBandColours } from '../../widgets/charts/banded-chart.ts';
import type { PreviewSeries } from './preview.ts';

type PreviewChartProps = { readonly title: string; readonly series: PreviewSeries; readonly height: number };

/** The value of each scan and the band that it was compared with; a side without a bound is open to the edge. Values outside are marked. */
export function PreviewChart({ title, series: { points, violations }, height }: PreviewChartProps) {
  const { line, bad, isDark } = useBandColours();
  const description = `${title}: ${points.length} values, ${violations} outside the band`;
  const axis = bandedAxis(points);
  const option: ChartOption = {
    ...bandedFrame({ description, axis, isDark, valueLabel: scoreText }),
    tooltip: { trigger: 'axis', formatter: (params: unknown) => tooltipOf(params, points) },
    series: [
      ...bandSeries(axis.bands, { line, isDark }),
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
  return <Chart option={option} height={height} label={description} />;
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
