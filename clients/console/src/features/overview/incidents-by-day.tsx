import { useMantineTheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../../app/services.tsx';
import { Chart, type ChartOption } from '../../ui/chart.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';

const IMPACTS = [
  { impact: 'HIGH', colour: 'red' },
  { impact: 'MEDIUM', colour: 'orange' },
  { impact: 'LOW', colour: 'yellow' },
] as const;

export function IncidentsByDay() {
  const { observability } = useServices();
  const theme = useMantineTheme();
  const days = useQuery({
    queryKey: ['observability', 'incidents', 'by-day'],
    queryFn: ({ signal }) => observability.incidentDistribution({}, { signal }),
  });
  const option = useMemo<ChartOption>(
    () => ({
      animation: false,
      grid: { left: 8, right: 8, top: 28, bottom: 4, containLabel: true },
      legend: { top: 0, right: 0, itemWidth: 10, itemHeight: 10 },
      tooltip: { trigger: 'axis' },
      xAxis: { type: 'category', data: days.data?.incidents.map(({ date }) => date) ?? [] },
      yAxis: { type: 'value', minInterval: 1 },
      series: IMPACTS.map(({ impact, colour }) => ({
        name: impact.toLowerCase(),
        type: 'bar',
        stack: 'impact',
        barMaxWidth: 24,
        color: theme.colors[colour][6],
        data: days.data?.incidents.map((each) => each.counts_by_impact[impact]) ?? [],
      })),
    }),
    [days.data, theme],
  );
  if (days.isError) return <ErrorPanel error={days.error} doing="count the incidents of each day" />;
  return <Chart option={option} height={220} label="Incidents by day and impact" />;
}
