import { Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import type { ListedJob, RowSample } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { SchemaChanges } from './schema-changes.tsx';

const SAMPLES = 200;

/** What one scan found beside its metrics: columns that changed, and rows that failed. */
export function JobFindings({ job }: { readonly job: ListedJob }) {
  const { observability } = useServices();
  const samples = useQuery({
    queryKey: ['observability', 'job', job.id, 'samples'],
    queryFn: ({ signal }) => observability.listSamples({ job_id: job.id, limit: SAMPLES }, { signal }),
  });
  return (
    <Stack gap="sm">
      <SchemaChanges jobId={job.id} />
      <section aria-labelledby="samples">
        <Title order={3} size="h6" mb="xs" id="samples">
          Rows that failed
        </Title>
        {samples.isPending && <Skeleton height={60} />}
        {samples.isError && <ErrorPanel error={samples.error} doing="read the failed rows" onRetry={() => void samples.refetch()} />}
        {samples.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            None: every row could be read and passed the rules.
          </Text>
        )}
        {samples.data !== undefined && samples.data.length > 0 && <SampleTable samples={samples.data} />}
      </section>
    </Stack>
  );
}

function SampleTable({ samples }: { readonly samples: readonly RowSample[] }) {
  const columns = [...new Set(samples.flatMap(({ row }) => Object.keys(row)))];
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs">
        A sample of {samples.length}; personal data are masked.
      </Text>
      <Table.ScrollContainer minWidth={480} maxHeight={360}>
        <Table stickyHeader fz="xs" style={{ whiteSpace: 'nowrap' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Why</Table.Th>
              {columns.map((name) => (
                <Table.Th key={name} ff="monospace">
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {samples.map((sample, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows may be alike, and their order never changes.
              <Table.Tr key={index}>
                <Table.Td maw={320} style={{ whiteSpace: 'normal' }}>
                  {sample.reason}
                </Table.Td>
                {columns.map((name) => (
                  <Table.Td key={name}>
                    {sample.row[name] ?? (
                      <Text span inherit c="dimmed" fs="italic">
                        null
                      </Text>
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
