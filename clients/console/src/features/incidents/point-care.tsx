// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { MetricHistoryItem } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshIncident } from '../../data/incidents/queries.ts';
import { refreshMetrics } from '../../data/metrics/queries.ts';
import { type SeriesUnit, valueText } from '../../data/metrics/series.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { textField } from '../../ui/fields.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Moment } from '../../ui/time.tsx';
import { expectedText } from './notified.ts';

/** No band is learned from them, so nothing can be left out of it. */
const NEVER = new Set<string>(['SCHEMA', 'TOP_VALUE', 'VALUE_DISTRIBUTION']);
const SHOWN = 3;

type PointCareProps = {
  readonly assetId: string;
  readonly incidentId: number;
  readonly series: SeriesUnit;
  readonly points: readonly MetricHistoryItem[];
};

/** The newest points that were out of order or are left out, and the way to change that. */
export function PointCare({ assetId, incidentId, series, points }: PointCareProps) {
  const refusal = useRefusal('operator');
  const [chosen, setChosen] = useState<MetricHistoryItem>();
  const [first] = points;
  if (first === undefined || first.segment !== null || NEVER.has(first.metric_name)) return null;
  const textOf = (value: number) => valueText(series, value);
  const marked = points.filter((point) => point.is_violation || point.is_excluded).toReversed();
  return (
    <Stack gap={4} mt="xs">
      {marked.slice(0, SHOWN).map((point) => (
        <Group key={point.job_id} gap="xs" justify="space-between" wrap="nowrap">
          <Text size="xs" component="div">
            <Moment at={point.metric_time} />: {point.value === null ? '–' : textOf(point.value)}
            <Dimmed span size="xs">
              {point.is_excluded ? ', excluded from learning' : `, expected ${expectedText(point, textOf)}`}
            </Dimmed>
          </Text>
          {refusal === undefined && (
            <Button variant="subtle" size="compact-xs" style={{ flexShrink: 0 }} onClick={() => setChosen(point)}>
              {point.is_excluded ? 'Include' : 'Exclude'}
            </Button>
          )}
        </Group>
      ))}
      {chosen !== undefined && (
        <ExcludePoint assetId={assetId} incidentId={incidentId} point={chosen} onClose={() => setChosen(undefined)} />
      )}
    </Stack>
  );
}

type ExcludePointProps = {
  readonly assetId: string;
  readonly incidentId: number;
  readonly point: MetricHistoryItem;
  readonly onClose: () => void;
};

function ExcludePoint({ assetId, incidentId, point, onClose }: ExcludePointProps) {
  const { observability } = useServices();
  const [comment, setComment] = useState('');
  const isOut = point.is_excluded;
  const change = useMutation({
    mutationFn: () => {
      const { metric_name, metric_aggregation, attribute, segment, monitor_id, job_id } = point;
      const series = { metric_name, metric_aggregation, attribute, segment, monitor_id };
      return observability.putMetricExclusion({
        asset_id: assetId,
        ...series,
        job_id,
        is_excluded: !isOut,
        comment: comment.trim() === '' ? null : comment.trim(),
      });
    },
    onSuccess: async () => {
      await refreshMetrics(assetId);
      await refreshIncident(incidentId);
      onClose();
    },
  });
  return (
    <FormDialog
      title={isOut ? 'Include the point in learning?' : 'Exclude the point from learning?'}
      verb={isOut ? 'Include' : 'Exclude'}
      saving={change}
      doing={isOut ? 'include the point' : 'exclude the point'}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        {isOut
          ? 'Bands are learned from the point again. An incident can open only when the next scan is evaluated.'
          : 'A correct but unusual delivery distorts the learned bands. Bands are not learned from an excluded point, and an incident whose newest scan has no other alert is closed.'}
      </Text>
      <Textarea label="Why" placeholder="A holiday, a migration" {...textField(comment, setComment)} maxLength={10_000} autosize />
    </FormDialog>
  );
}
