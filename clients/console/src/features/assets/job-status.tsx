// SPDX-License-Identifier: Apache-2.0
import { Badge, Group, Progress, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ListedJob } from '@sextant/sdk';
import { IconPlayerStop } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { isRunning, refreshJobs } from '../../data/jobs.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { messageOf } from '../../ui/error-panel.tsx';
import { countText } from '../../ui/figures.ts';
import { IconButton } from '../../ui/icon-button.tsx';

const STATES: Readonly<Record<ListedJob['status'], { readonly colour: string; readonly word: string }>> = {
  PREPARING: { colour: 'gray', word: 'preparing' },
  BATCH_WAIT: { colour: 'gray', word: 'waits' },
  IN_PROGRESS: { colour: 'chart', word: 'runs' },
  FINISHED: { colour: 'teal', word: 'finished' },
  FAILED: { colour: 'red', word: 'failed' },
};

/** What a job says that runs and has nothing to add. */
const RUNS = 'Runs.';

/** A finished scan of which some monitors could not be evaluated is not in order. */
export function JobBadge({ status, checks = null }: Pick<ListedJob, 'status'> & Partial<Pick<ListedJob, 'checks'>>) {
  const { colour, word } = STATES[status];
  const errored = checks?.errored ?? 0;
  return (
    <Badge variant="dot" color={errored > 0 ? 'red' : colour}>
      {errored > 0 ? `${errored} errored` : word}
    </Badge>
  );
}

/** How far a scan is, or what came of it, in the words of the service. */
export function JobOutcome({ job }: { readonly job: ListedJob }) {
  const { details, progress, status } = job;
  if (!isRunning(status)) return <Text size="sm">{details === '' ? `${countText(progress.rows_read)} rows` : details}</Text>;
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        value={(progress.fraction ?? 1) * 100}
        animated={progress.fraction === null}
        w={140}
        size="sm"
        aria-label={`Progress: ${progress.phase}`}
      />
      <Dimmed>
        {progress.phase}
        {progress.rows_read > 0 && `, ${countText(progress.rows_read)} rows`}
        {details !== RUNS && `. ${details}`}
      </Dimmed>
    </Group>
  );
}

export function runTimeText({ run_time: took }: ListedJob): string {
  return took === null ? '–' : `${(took.seconds + took.nano / 1e9).toFixed(1)} s`;
}

/** Of one that waits or runs. */
export function StopScan({ job }: { readonly job: ListedJob }) {
  const { observability } = useServices();
  const cancel = useMutation({
    mutationFn: () => observability.cancelJob({ job_id: job.id }),
    onSettled: () => refreshJobs(job.asset_id),
    onError: (error) => notifications.show({ color: 'red', title: 'Could not stop the scan', message: messageOf(error) }),
  });
  if (!isRunning(job.status)) return null;
  return <IconButton label="Stop the scan" icon={IconPlayerStop} isLoading={cancel.isPending} onClick={() => cancel.mutate()} />;
}
