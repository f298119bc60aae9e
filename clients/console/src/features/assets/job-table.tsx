// SPDX-License-Identifier: Apache-2.0
import { Button, Stack, Table } from '@mantine/core';
import type { ListedJob } from '@sextant/sdk';
import { isRunning } from '../../data/jobs.ts';
import { ACTIONS, DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Moment } from '../../ui/time.tsx';
import { JobFindings } from './job-findings.tsx';
import { JobBadge, JobOutcome, runTimeText, StopScan } from './job-status.tsx';
import styles from './job-table.module.css';

type JobTableProps = {
  readonly jobs: readonly ListedJob[];
  /** The scan whose findings are open. */
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
};

/** The newest scans with their progress, and what one of them found. */
export function JobTable({ jobs, chosen, onChoose }: JobTableProps) {
  const open = jobs.find(({ id }) => id === chosen);
  if (jobs.length === 0) {
    return <Dimmed>No scan yet.</Dimmed>;
  }
  return (
    <Stack gap="md">
      <div className={styles.scroller}>
        <DataTable
          highlightOnHover
          stickyHeader
          className={styles.scans ?? ''}
          headings={[
            { label: 'State', w: 110 },
            { label: 'Requested', w: 170 },
            { ...right('Took'), w: 80 },
            'Outcome',
            { ...ACTIONS, w: 120 },
          ]}
        >
          {jobs.map((job) => (
            <Table.Tr key={job.id} {...(job.id === chosen && { bg: 'var(--mantine-color-default-hover)' })}>
              <Table.Td>
                <JobBadge status={job.status} checks={job.checks} />
              </Table.Td>
              <Table.Td>
                <Moment at={job.created_at} />
              </Table.Td>
              <Table.Td ta="right">{runTimeText(job)}</Table.Td>
              <Table.Td>
                <JobOutcome job={job} />
              </Table.Td>
              <Table.Td ta="right">
                {isRunning(job.status) ? (
                  <StopScan job={job} />
                ) : (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-expanded={job.id === chosen}
                    onClick={() => onChoose(job.id === chosen ? undefined : job.id)}
                  >
                    Findings
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      </div>
      {open !== undefined && <JobFindings job={open} />}
    </Stack>
  );
}
