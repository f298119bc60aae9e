// SPDX-License-Identifier: Apache-2.0
import { useComputedColorScheme } from '@mantine/core';
import { BarChart, LineChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';

use([BarChart, LineChart, AriaComponent, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

/** Labels of an axis of time; the library's own say a day without its month. */
export const TIME_LABELS = {
  year: '{yyyy}',
  month: '{d} {MMM}',
  day: '{d} {MMM}',
  hour: '{HH}:{mm}',
  minute: '{HH}:{mm}',
  second: '{HH}:{mm}:{ss}',
};

export type ChartOption = EChartsCoreOption;

type ChartProps = {
  readonly option: ChartOption;
  readonly height: number;
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** One of the things that are drawn was chosen: which, of its series. */
  readonly onPick?: (series: string, index: number) => void;
};

/** A chart as wide as there is room; it follows the colours of the page. */
export function Chart({ option, height, label, onPick }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const picked = useRef(onPick);
  useEffect(() => {
    picked.current = onPick;
  }, [onPick]);
  useEffect(() => {
    if (element.current === null) return;
    const chart = init(element.current, scheme === 'dark' ? 'dark' : undefined);
    chart.setOption({ backgroundColor: 'transparent', textStyle: { fontFamily: "'Inter Variable', sans-serif" }, ...option });
    chart.on('click', ({ seriesName, dataIndex }) => picked.current?.(seriesName ?? '', dataIndex));
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element.current);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [option, scheme]);
  return <div ref={element} style={{ height }} role="img" aria-label={label} />;
}
