// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, Group, Modal, Stack, Table } from '@mantine/core';
import type { ObservabilityClient } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { refreshIncidents } from '../../data/incidents/queries.ts';
import { refreshMetrics } from '../../data/metrics/queries.ts';
import { type MeasuredPoint, pointNotes, type Series, valueText } from '../../data/metrics/series.ts';
import { useServices } from '../../data/services/services.ts';
import { ACTIONS, DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Moment } from '../../ui/time.tsx';

const SHOWN = 200;
/** The newest incidents of the asset that are looked through for the one of a point. */
const SOUGHT = 50;

type PointsDialogProps = {
  readonly assetId: string;
  readonly title: string;
  readonly series: Series;
  readonly points: readonly MeasuredPoint[];
  /** The point that was chosen in the chart; it stands first. */
  readonly chosen: MeasuredPoint | null;
  readonly onClose: () => void;
};

/** The values of a series, newest first: which are excluded of learning, and which incident an alert belongs to. */
export function PointsDialog({ assetId, title, series, points, chosen, onClose }: PointsDialogProps) {
  const { observability } = useServices();
  const navigate = useNavigate();
  const newest = points.toReversed().filter(({ job_id: id }) => id !== chosen?.job_id);
  const first = points.find(({ job_id: id }) => id === chosen?.job_id);
  const shown = [...(first === undefined ? [] : [first]), ...newest].slice(0, SHOWN);
  const exclusion = useMutation({
    mutationFn: (point: MeasuredPoint) =>
      observability.putMetricExclusion({
        asset_id: assetId,
        metric_name: series.metric,
        metric_aggregation: series.aggregation,
        attribute: series.attribute,
        segment: series.segment,
        monitor_id: series.monitorId,
        job_id: point.job_id,
        is_excluded: !point.is_excluded,
      }),
    onSuccess: () => Promise.all([refreshMetrics(assetId), refreshIncidents()]),
  });
  const seeking = useMutation({
    mutationFn: (point: MeasuredPoint) => incidentOf(observability, { assetId, series, point }),
    onSuccess: (id) => navigate({ to: '/incidents/$id', params: { id: String(id) } }),
  });
  return (
    <Modal opened onClose={onClose} title={title} size="xl">
      <Stack gap="sm">
        <Dimmed>An excluded point stays stored. No band is learned from it, and it raises no alert.</Dimmed>
        {exclusion.isError && <ErrorPanel error={exclusion.error} doing="exclude or include the point" />}
        {seeking.isError && <ErrorPanel error={seeking.error} doing="find the incident" />}
        <DataTable minWidth={560} maxHeight="60dvh" stickyHeader headings={['Scan', right('Value'), 'Band', ACTIONS]}>
          {shown.map((point) => (
            <Table.Tr key={`${point.job_id} ${point.metric_time}`} {...(point === first && { bg: 'var(--mantine-color-default-hover)' })}>
              <Table.Td>
                <Moment at={point.metric_time} />
              </Table.Td>
              <Table.Td ta="right">{valueText(series, point.value)}</Table.Td>
              <Table.Td>
                <Group gap={6}>
                  {pointNotes(series, point)[0]}
                  {point.is_violation && (
                    <Badge size="sm" color="red" variant="light">
                      outside the band
                    </Badge>
                  )}
                  {point.is_excluded && (
                    <Badge size="sm" color="gray" variant="outline">
                      excluded
                    </Badge>
                  )}
                </Group>
              </Table.Td>
              <Table.Td>
                <Group gap={6} justify="end" wrap="nowrap">
                  {point.is_violation && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      loading={seeking.isPending && seeking.variables === point}
                      onClick={() => seeking.mutate(point)}
                    >
                      Show incident
                    </Button>
                  )}
                  <Button
                    size="compact-xs"
                    variant="default"
                    loading={exclusion.isPending && exclusion.variables === point}
                    onClick={() => exclusion.mutate(point)}
                  >
                    {point.is_excluded ? 'Include' : 'Exclude'}
                  </Button>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
        {points.length > SHOWN && (
          <Dimmed size="xs">
            The newest {SHOWN} of {points.length} points are shown.
          </Dimmed>
        )}
      </Stack>
    </Modal>
  );
}

type Violation = { readonly assetId: string; readonly series: Series; readonly point: MeasuredPoint };

/** An alert does not name its incident, but an incident names its metrics and the times of its alerts. */
async function incidentOf(client: ObservabilityClient, { assetId, series, point }: Violation): Promise<number> {
  const incidents = await client.listIncidents({ asset_ids: assetId, limit: SOUGHT });
  for (const { id } of incidents) {
    const { metrics, history } = await client.getIncident({ incident_id: id });
    const isAbout = metrics.some((each) => each.metric_name === series.metric && each.attribute === series.attribute);
    const hasAlert = history.some(({ alert_refs: refs }) => refs.some((each) => each.metric_time === point.metric_time));
    if (isAbout && hasAlert) return id;
  }
  throw new Error(`None of the newest ${SOUGHT} incidents of this asset contains this alert.`);
}
