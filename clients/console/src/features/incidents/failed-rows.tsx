// SPDX-License-Identifier: Apache-2.0
import { Code, Skeleton } from '@mantine/core';
import type { IncidentDetail } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { jobSamples } from '../../data/jobs.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Section } from '../../ui/section.tsx';
import { RowSamples } from '../../widgets/row-samples.tsx';
import { isEvidence, keeperOf } from './row-evidence.ts';

const ROWS = 20;

type FailedRowsProps = { readonly incident: IncidentDetail; readonly jobId: string; readonly isCollection: boolean };

/** Rows of the newest scan that alerted which show what is wrong. Personal data comes masked. */
export function FailedRows({ incident, jobId, isCollection }: FailedRowsProps) {
  const { observability } = useServices();
  const about = { ...incident, isOfCollection: isCollection };
  const samples = useQuery({
    ...jobSamples(observability, jobId, keeperOf(about)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (samples.isPending) return <Skeleton height={60} />;
  if (samples.isError) return <ErrorPanel error={samples.error} doing="read the rows that failed" onRetry={() => void samples.refetch()} />;
  const rows = samples.data.filter((sample) => isEvidence(sample, about)).slice(0, ROWS);
  if (rows.length === 0) return null;
  return (
    <Section id="rows" title={isCollection ? 'Faulty points' : 'Failed rows'}>
      <RowSamples samples={rows} />
      <Dimmed size="xs" mt={4}>
        A sample of the scan <Code fz="inherit">{jobId}</Code>; personal data is masked.
      </Dimmed>
    </Section>
  );
}
