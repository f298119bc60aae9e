// SPDX-License-Identifier: Apache-2.0
import { Group, Loader, Paper, Select, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import type { MonitorPreview, PreviewedPoint } from '@sextant/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { seriesTitle } from '../../data/metrics/series.ts';
import { DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { scoreText } from '../../ui/figures.ts';
import { Moment } from '../../ui/time.tsx';
import type { MonitorForm } from './monitor-form.ts';
import { emptyHistoryReason, missingForPreview, type PreviewSeries, previewAlerts, previewSentence, previewSeries } from './preview.ts';

const PreviewChart = lazy(async () => ({ default: (await import('./preview-chart.tsx')).PreviewChart }));

const CHART_PX = 150;
/** Charts at a time; the others are chosen from a list. */
const CHARTS_MAX = 4;
const ALERTS_MAX = 12;

type PreviewPanelProps = {
  readonly form: MonitorForm;
  readonly preview: UseQueryResult<MonitorPreview>;
  readonly isStored: boolean;
  /** Whether the expression is another than the one that was measured. */
  readonly isRewritten: boolean;
  /** Scans that ended well. */
  readonly scans: number;
  /** Whether what the service refuses is said at a field already. */
  readonly isPlaced: boolean;
};

/** What the monitor as it is written would have said of the scans that there were. */
export function PreviewPanel(props: PreviewPanelProps) {
  const { form, preview } = props;
  const missing = missingForPreview(form);
  return (
    <Stack component="section" gap="sm" aria-labelledby="preview">
      <Group gap="xs">
        <Title order={2} size="h5" id="preview">
          Preview on past scans
        </Title>
        {preview.isFetching && <Loader size={14} aria-label="Loading the preview" />}
      </Group>
      {missing === undefined ? <Answer {...props} /> : <Hint>{missing}</Hint>}
    </Stack>
  );
}

function Hint({ children }: { readonly children: string }) {
  return (
    <Paper withBorder p="md">
      <Dimmed role="status">{children}</Dimmed>
    </Paper>
  );
}

function Answer({ form, preview, isStored, isRewritten, scans, isPlaced }: PreviewPanelProps) {
  if (preview.isError && isPlaced) return <Hint>Correct the marked fields to see a preview.</Hint>;
  if (preview.isError) return <ErrorPanel error={preview.error} doing="try it on the history" />;
  if (preview.data === undefined) return <Skeleton height={CHART_PX} />;
  const { history } = preview.data;
  if (history.length === 0) return <Hint>{emptyHistoryReason(form, { isStored, scans })}</Hint>;
  return (
    <>
      <Text fw={600} role="status">
        {previewSentence(history, form)}
      </Text>
      {isRewritten && (
        <Dimmed>These values are those of the saved expression. The changed expression is measured from the next scan on.</Dimmed>
      )}
      <Charts history={history} />
      <Alerts history={history} />
    </>
  );
}

function Charts({ history }: { readonly history: readonly PreviewedPoint[] }) {
  const series = previewSeries(history);
  const [chosen, setChosen] = useState<string | null>(null);
  const one = series.find(({ key }) => key === chosen);
  const shown = one === undefined ? series.slice(0, CHARTS_MAX) : [one];
  return (
    <>
      {series.length > CHARTS_MAX && (
        <Select
          aria-label="Which number"
          placeholder={`${CHARTS_MAX} of ${series.length} series shown; choose another`}
          data={series.map((each) => ({ value: each.key, label: labelOf(each) }))}
          value={one === undefined ? null : chosen}
          onChange={setChosen}
          searchable
          clearable
        />
      )}
      {shown.map((each) => (
        <Paper key={each.key} withBorder p="sm">
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {seriesTitle(each)}
          </Text>
          <Suspense fallback={<Skeleton height={CHART_PX} />}>
            <PreviewChart title={seriesTitle(each)} series={each} height={CHART_PX} />
          </Suspense>
        </Paper>
      ))}
    </>
  );
}

function labelOf(series: PreviewSeries): string {
  const { violations } = series;
  return violations === 0
    ? seriesTitle(series)
    : `${seriesTitle(series)}: outside the band ${violations === 1 ? 'once' : `${violations} times`}`;
}

/** The newest scans at which it would have spoken. */
function Alerts({ history }: { readonly history: readonly PreviewedPoint[] }) {
  const alerts = previewAlerts(history);
  if (alerts.length === 0) return null;
  return (
    <>
      <DataTable
        minWidth={420}
        aria-label="Alerts that it would have raised"
        headings={['Scan', 'What', right('Value'), right('In order')]}
      >
        {alerts.slice(0, ALERTS_MAX).flatMap(({ points: [point, ...others] }) =>
          point === undefined
            ? []
            : [
                <Table.Tr key={JSON.stringify(point)}>
                  <Table.Td>
                    <Moment at={point.metric_time} />
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {seriesTitle(seriesOfPoint(point))}
                    {others.length > 0 && (
                      <Dimmed span size="xs">
                        {` and ${others.length} more`}
                      </Dimmed>
                    )}
                  </Table.Td>
                  <Table.Td ta="right">{scoreText(point.value)}</Table.Td>
                  <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                    {rangeText(point)}
                  </Table.Td>
                </Table.Tr>,
              ],
        )}
      </DataTable>
      {alerts.length > ALERTS_MAX && (
        <Dimmed size="xs" mt={4}>
          and {alerts.length - ALERTS_MAX} earlier
        </Dimmed>
      )}
    </>
  );
}

function seriesOfPoint({ metric_name, metric_aggregation, attribute, segment }: PreviewedPoint) {
  return { metric: metric_name, aggregation: metric_aggregation, attribute, segment };
}

function rangeText({ lower_bound: lower, upper_bound: upper }: PreviewedPoint): string {
  if (lower === null) return upper === null ? '–' : `≤ ${scoreText(upper)}`;
  return upper === null ? `≥ ${scoreText(lower)}` : `${scoreText(lower)} – ${scoreText(upper)}`;
}
