// SPDX-License-Identifier: Apache-2.0
import { Group, Progress, Spoiler, Stack, Table, Text } from '@mantine/core';
import type { Asset, Monitor } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { jobSamples } from '../../../data/jobs.ts';
import { metricLabel } from '../../../data/metrics/metric-kinds.ts';
import { useServices } from '../../../data/services/services.ts';
import { DataTable, right } from '../../../ui/data-table.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { Section } from '../../../ui/section.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { RowSamples } from '../../../widgets/row-samples.tsx';
import type { IncidentLoss, MetricLoss, PartLosses } from './score-losses.ts';

const ROWS = 10;
const ROWS_HEIGHT = 160;

type ScorePartProps = {
  readonly losses: PartLosses;
  readonly asset: Asset;
  readonly monitors: readonly Monitor[];
  /** The scan whose failing rows are shown. */
  readonly jobId: string | null;
};

/** One of the four parts of a score: its value, what it weighs, and what cost it points. */
export function ScorePart({ losses, asset, monitors, jobId }: ScorePartProps) {
  const { part, points, metrics, incidents, lateIds } = losses;
  const { dimension, value, weight, measured_from: source } = part;
  const title = `${dimension.charAt(0).toUpperCase()}${dimension.slice(1)}`;
  return (
    <Section id={`score-${dimension}`} title={title} beside={<Text size="sm">{lossText(value, points)}</Text>}>
      <Stack gap="xs">
        <Progress value={value ?? 0} color="chart" size="sm" aria-label={`${title}: ${value?.toFixed(0) ?? 'unknown'}`} />
        <Dimmed>
          {source.sentence}{' '}
          {value === null ? 'It does not count.' : `${value.toFixed(1)} of 100, with a weight of ${(100 * weight).toFixed(0)} %.`}
        </Dimmed>
        {metrics.length > 0 && (
          <LossTable what="Measured">
            {metrics.map((metric) => (
              <MetricRow
                key={JSON.stringify([metric.metric_name, metric.attribute, metric.monitor_id])}
                metric={metric}
                asset={asset}
                monitors={monitors}
              />
            ))}
          </LossTable>
        )}
        {metrics.map(
          ({ monitor_id: id }) => id !== null && jobId !== null && <FailingRows key={id} id={id} monitors={monitors} jobId={jobId} />,
        )}
        {incidents.length > 0 && (
          <LossTable what="Open incident">
            {incidents.map((incident) => (
              <IncidentRow key={incident.id} incident={incident} />
            ))}
          </LossTable>
        )}
        {lateIds.length > 0 && (
          <Group gap="xs">
            {lateIds.map((id) => (
              <TextLink key={id} to={`/incidents/${id}`}>
                Incident {id}
              </TextLink>
            ))}
          </Group>
        )}
      </Stack>
    </Section>
  );
}

function lossText(value: number | null, points: number): string {
  if (value === null) return 'unknown';
  return points > 0 ? `costs ${points.toFixed(1)} points` : 'costs nothing';
}

function LossTable({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  return (
    <DataTable fz="sm" headings={[what, { label: 'Value', w: '35%' }, { ...right('Points lost'), w: '20%' }]}>
      {children}
    </DataTable>
  );
}

type MetricRowProps = { readonly metric: MetricLoss; readonly asset: Asset; readonly monitors: readonly Monitor[] };

function MetricRow({ metric, asset, monitors }: MetricRowProps) {
  const { metric_name: name, attribute, monitor_id: monitorId, value, points } = metric;
  const monitor = monitors.find(({ id }) => id === monitorId);
  return (
    <Table.Tr>
      <Table.Td>
        {monitor === undefined ? (
          `${metricLabel(name)}${attribute === null ? '' : ` of ${attribute}`}`
        ) : (
          <TextLink to={`/assets/${asset.project_id}/${asset.id}/monitors/${monitor.id}`}>{monitor.name}</TextLink>
        )}
      </Table.Td>
      <Table.Td>{value === null ? 'could not be measured' : `${value.toFixed(2)}${name.endsWith('COUNT') ? '' : ' %'}`}</Table.Td>
      <Table.Td ta="right">{points.toFixed(2)}</Table.Td>
    </Table.Tr>
  );
}

function IncidentRow({ incident: { id, severity, touched_share: share, points } }: { readonly incident: IncidentLoss }) {
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to={`/incidents/${id}`}>Incident {id}</TextLink>
      </Table.Td>
      <Table.Td>
        {severity === '' ? 'no severity' : severity.toLowerCase()}, {(100 * share).toFixed(0)} % of the asset
      </Table.Td>
      <Table.Td ta="right">{points.toFixed(2)}</Table.Td>
    </Table.Tr>
  );
}

type FailingRowsProps = { readonly id: string; readonly monitors: readonly Monitor[]; readonly jobId: string };

function FailingRows({ id, monitors, jobId }: FailingRowsProps) {
  const { observability } = useServices();
  const samples = useQuery(jobSamples(observability, jobId, id));
  if (samples.isError) return <ErrorPanel error={samples.error} doing="read the failed rows" onRetry={() => void samples.refetch()} />;
  const rows = samples.data?.slice(0, ROWS) ?? [];
  if (rows.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm">Rows that fail {monitors.find((each) => each.id === id)?.name ?? id}; personal data is masked</Text>
      <Spoiler maxHeight={ROWS_HEIGHT} showLabel="Show more" hideLabel="Show less">
        <RowSamples samples={rows} />
      </Spoiler>
    </Stack>
  );
}
