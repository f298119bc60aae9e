// SPDX-License-Identifier: Apache-2.0
import { Alert, List, Skeleton, Text } from '@mantine/core';
import type { ListedJob } from '@sextant/sdk';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { jobChecks } from '../../data/jobs.ts';
import { useServices } from '../../data/services/services.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';

/** The monitors that a scan could not evaluate, each with the reason: what they watch is neither right nor wrong. */
export function ErroredMonitors({ job }: { readonly job: Pick<ListedJob, 'id'> }) {
  const { observability } = useServices();
  const checks = useQuery(jobChecks(observability, job.id));
  if (checks.isPending) return <Skeleton height={60} />;
  if (checks.isError) return <ErrorPanel error={checks.error} doing="read the monitors" onRetry={() => void checks.refetch()} />;
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title="Could not be evaluated">
      <List size="sm" listStyleType="none">
        {checks.data
          .filter(({ state }) => state === 'errored')
          .map(({ monitor_id, monitor_name, reason }) => (
            <List.Item key={monitor_id}>
              <Text span size="sm" fw={500}>
                {monitor_name}
              </Text>
              : {reason}
            </List.Item>
          ))}
      </List>
    </Alert>
  );
}
