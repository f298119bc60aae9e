// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Group, Paper, Skeleton, Text, Tooltip } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { IconListDetails } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { seriesHistory } from '../../data/metrics/queries.ts';
import type { Series } from '../../data/metrics/series.ts';
import { hasValue, type MeasuredPoint, seriesTitle } from '../../data/metrics/series.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { messageOf } from '../../ui/error-panel.tsx';
import { PointsDialog } from './points-dialog.tsx';

const MetricChart = lazy(async () => ({ default: (await import('../../widgets/charts/metric-chart.tsx')).MetricChart }));

type ChartCardProps = { readonly assetId: string; readonly series: Series; readonly from: string | undefined };

/** One series, read when it is first in sight. A point, or the button, opens its values. */
export function ChartCard({ assetId, series, from }: ChartCardProps) {
  const { observability } = useServices();
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const history = useQuery({ ...seriesHistory(observability, assetId, series, from), enabled: inViewport });
  const points = useMemo(() => history.data?.filter(hasValue), [history.data]);
  // `null` is the dialog with no point chosen.
  const [open, setOpen] = useState<MeasuredPoint | null>();
  const title = seriesTitle(series);
  return (
    <Paper withBorder p="sm" ref={ref} mih={208}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={500} truncate title={title}>
          {title}
        </Text>
        <Tooltip label="Its values">
          <ActionIcon size="sm" aria-label={`Values of ${title}`} onClick={() => setOpen(null)}>
            <IconListDetails size={14} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {history.isError && (
        <Text size="sm" c="red">
          {messageOf(history.error)}
        </Text>
      )}
      {points === undefined && !history.isError && <Skeleton height={150} />}
      {points?.length === 0 && <Dimmed>No value in this time range.</Dimmed>}
      {points !== undefined && points.length > 0 && (
        <Suspense fallback={<Skeleton height={150} />}>
          <MetricChart title={title} series={series} points={points} from={from} onPick={setOpen} />
        </Suspense>
      )}
      {open !== undefined && points !== undefined && (
        <PointsDialog assetId={assetId} title={title} series={series} points={points} chosen={open} onClose={() => setOpen(undefined)} />
      )}
    </Paper>
  );
}
