import { ActionIcon, Badge, Group, Progress, Table, Text, Title, Tooltip } from '@mantine/core';
import type { ListedJob } from '@sextant/sdk';
import { IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { Moment } from '../../ui/moment.tsx';
import { assetJobs, isRunning } from './queries.ts';

const SHOWN = 5;
const COLOURS: Readonly<Record<ListedJob['status'], string>> = {
  PREPARING: 'gray',
  BATCH_WAIT: 'gray',
  IN_PROGRESS: 'chart',
  FINISHED: 'teal',
  FAILED: 'red',
};

/** The newest scans, with their progress while they run. When one ends, what it measured is read anew. */
export function JobList({ assetId }: { readonly assetId: string }) {
  const { observability } = useServices();
  const queries = useQueryClient();
  const jobs = useQuery(assetJobs(observability, assetId));
  const cancel = useMutation({
    mutationFn: (id: string) => observability.cancelJob({ job_id: id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['observability', 'asset', assetId, 'jobs'] }),
  });
  const runningCount = jobs.data?.filter(({ status }) => isRunning(status)).length ?? 0;
  const before = useRef(runningCount);
  useEffect(() => {
    if (runningCount < before.current) {
      void queries.invalidateQueries({ queryKey: ['observability', 'asset', assetId, 'metrics'] });
      void queries.invalidateQueries({ queryKey: ['observability', 'scores'] });
      void queries.invalidateQueries({ queryKey: ['observability', 'incidents'] });
    }
    before.current = runningCount;
  }, [runningCount, queries, assetId]);
  if (jobs.isError) return <ErrorPanel error={jobs.error} doing="list the scans" onRetry={() => void jobs.refetch()} />;
  if (jobs.data === undefined || jobs.data.length === 0) return null;
  return (
    <section aria-labelledby="scans">
      <Title order={2} size="h5" mb="xs" id="scans">
        Scans
      </Title>
      {cancel.isError && <ErrorPanel error={cancel.error} doing="stop the scan" />}
      <Table.ScrollContainer minWidth={520}>
        <Table>
          <Table.Tbody>
            {jobs.data.slice(0, SHOWN).map((job) => (
              <Table.Tr key={job.id}>
                <Table.Td w={110}>
                  <Badge variant="dot" color={COLOURS[job.status]}>
                    {job.status.toLowerCase().replace('_', ' ')}
                  </Badge>
                </Table.Td>
                <Table.Td w={170}>
                  <Moment at={job.created_at} />
                </Table.Td>
                <Table.Td>{isRunning(job.status) ? <JobProgress job={job} /> : <Text size="sm">{outcome(job)}</Text>}</Table.Td>
                <Table.Td w={40}>
                  {isRunning(job.status) && (
                    <Tooltip label="Stop this scan">
                      <ActionIcon variant="subtle" color="gray" size="sm" aria-label="Stop this scan" onClick={() => cancel.mutate(job.id)}>
                        <IconPlayerStop size={14} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

function JobProgress({ job: { progress } }: { readonly job: ListedJob }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        value={progress.fraction === null ? 100 : progress.fraction * 100}
        animated={progress.fraction === null}
        w={140}
        size="sm"
        aria-label={`Progress: ${progress.phase}`}
      />
      <Text size="sm" c="dimmed">
        {progress.phase}
        {progress.rows_read > 0 && `, ${countText(progress.rows_read)} rows`}
      </Text>
    </Group>
  );
}

function outcome({ details, progress, run_time: took }: ListedJob): string {
  if (details !== '') return details;
  const rows = `${countText(progress.rows_read)} rows`;
  return took === null ? rows : `${rows} in ${(took.seconds + took.nano / 1e9).toFixed(1)} s`;
}
