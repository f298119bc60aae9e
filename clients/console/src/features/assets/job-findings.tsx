// SPDX-License-Identifier: Apache-2.0
import { Skeleton, Stack, Title } from '@mantine/core';
import type { ListedJob } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { jobSamples } from '../../data/jobs.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { RowSamples } from '../../widgets/row-samples.tsx';
import { ErroredMonitors } from './errored-monitors.tsx';
import { SchemaChanges } from './schema-changes.tsx';

/** What one scan found beside its metrics: columns that changed, and rows that failed. */
export function JobFindings({ job }: { readonly job: ListedJob }) {
  const { observability } = useServices();
  const samples = useQuery(jobSamples(observability, job.id));
  return (
    <Stack gap="sm">
      {(job.checks?.errored ?? 0) > 0 && <ErroredMonitors job={job} />}
      <SchemaChanges jobId={job.id} />
      <section aria-labelledby="samples">
        <Title order={3} size="h6" mb="xs" id="samples">
          Failed rows
        </Title>
        {samples.isPending && <Skeleton height={60} />}
        {samples.isError && <ErrorPanel error={samples.error} doing="read the failed rows" onRetry={() => void samples.refetch()} />}
        {samples.data?.length === 0 && <Dimmed>No failed rows were stored.</Dimmed>}
        {samples.data !== undefined && samples.data.length > 0 && (
          <>
            <Dimmed size="xs" mb="xs">
              A sample of {samples.data.length}; personal data is masked.
            </Dimmed>
            <RowSamples samples={samples.data} />
          </>
        )}
      </section>
    </Stack>
  );
}
