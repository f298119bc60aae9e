// SPDX-License-Identifier: Apache-2.0
import { Badge, Skeleton, Stack, Table, Title } from '@mantine/core';
import type { SchemaChange } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { jobSchemaChanges } from '../../data/jobs.ts';
import { schemaHistory } from '../../data/metrics/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Moment } from '../../ui/time.tsx';

const SCANS = 30;
const KINDS: Readonly<Record<SchemaChange['kind'], { readonly word: string; readonly colour: string }>> = {
  ADDED: { word: 'added', colour: 'teal' },
  REMOVED: { word: 'removed', colour: 'red' },
  RETYPED: { word: 'type changed', colour: 'orange' },
};

/** Scan by scan, newest first; scans that found the columns as they were are left out. */
export function SchemaHistory({ assetId }: { readonly assetId: string }) {
  const { observability } = useServices();
  const history = useQuery(schemaHistory(observability, assetId));
  if (history.isError) return <ErrorPanel error={history.error} doing="read the schema changes" onRetry={() => void history.refetch()} />;
  if (history.data === undefined) return <Skeleton height={120} />;
  const changed = history.data.filter(({ value }) => value !== null && value > 0).toReversed();
  return (
    <Stack gap="lg">
      <Dimmed>
        {changed.length === 0
          ? 'No scan found columns that differ from those of the previous scan.'
          : `${changed.length} of ${history.data.length} scans found columns that differ from those of the previous scan.`}
      </Dimmed>
      {changed.slice(0, SCANS).map(({ job_id: jobId, metric_time: at }) => (
        <SchemaChanges key={jobId} jobId={jobId} at={at} />
      ))}
    </Stack>
  );
}

/** What one scan found other than the one before it. */
export function SchemaChanges({ jobId, at }: { readonly jobId: string; readonly at?: string }) {
  const { observability } = useServices();
  const changes = useQuery(jobSchemaChanges(observability, jobId));
  return (
    <section aria-label={at === undefined ? 'Schema changes' : `Schema changes of ${at}`}>
      <Title order={3} size="h6" mb="xs">
        {at === undefined ? 'Schema changes' : <Moment at={at} />}
      </Title>
      {changes.isPending && <Skeleton height={40} />}
      {changes.isError && <ErrorPanel error={changes.error} doing="read the schema changes" onRetry={() => void changes.refetch()} />}
      {changes.data?.length === 0 && <Dimmed>None: the columns are the same as in the previous scan.</Dimmed>}
      {changes.data !== undefined && changes.data.length > 0 && (
        <Table maw={720}>
          <Table.Tbody>
            {changes.data.map(({ kind, attribute, before, after }) => (
              <Table.Tr key={`${kind} ${attribute}`}>
                <Table.Td w={110}>
                  <Badge variant="dot" color={KINDS[kind].colour}>
                    {KINDS[kind].word}
                  </Badge>
                </Table.Td>
                <Table.Td ff="monospace">{attribute}</Table.Td>
                <Table.Td>{[before, after].filter((each) => each !== null).join(' → ')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}
