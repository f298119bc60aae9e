// SPDX-License-Identifier: Apache-2.0
import { Alert, Badge, Group, Progress, SimpleGrid, Table, Text } from '@mantine/core';
import type { CollectionStatus } from '@sextant/sdk';
import { useQuery } from '@tanstack/react-query';
import { useIsServed } from '../../data/collections/capabilities.ts';
import { type CollectionFacts, collectionStatus, vectorText } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Figure } from '../../ui/figure.tsx';
import { bytesText, countText } from '../../ui/figures.ts';
import { Section } from '../../ui/section.tsx';
import { IndexedShare } from './collection-status.tsx';
import { useIndexingRate } from './indexing-rate.ts';

/** How the collection is: its counts, its graphs, what it takes in memory and on disk, and what the service warns of. */
export function Health({ name, info, fields }: CollectionFacts) {
  const { vector } = useServices();
  const isServed = useIsServed('status');
  const status = useQuery(collectionStatus(vector, name, isServed));
  const dense = fields.filter(({ kind }) => kind === 'dense').length;
  return (
    <>
      {info.optimizer_status !== 'ok' && (
        <Alert color="red" variant="light" title="Indexing has failed">
          {info.optimizer_status.error}
        </Alert>
      )}
      {info.warnings?.map(({ message }) => (
        <Alert key={message} color="yellow" variant="light">
          {message}
        </Alert>
      ))}
      <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="sm">
        <Figure label="Points">{countText(info.points_count)}</Figure>
        <Figure label="In the graph">
          <IndexedShare info={info} vectors={dense} />
          {info.status === 'yellow' && <IndexingRate indexed={info.indexed_vectors_count} all={info.points_count * dense} />}
        </Figure>
        <Figure label="Pending writes">{countText(info.update_queue.length)}</Figure>
        <Figure label="Memory">{status.data ? bytesText(status.data.memory_bytes) : <Unknown isOff={isServed === false} />}</Figure>
        <Figure label="On disk">{status.data ? bytesText(status.data.storage_bytes) : <Unknown isOff={isServed === false} />}</Figure>
      </SimpleGrid>
      {status.isError && <ErrorPanel error={status.error} doing="read the status" onRetry={() => void status.refetch()} />}
      <VectorTable fields={fields} status={status.data} />
    </>
  );
}

function Unknown({ isOff }: { readonly isOff: boolean }) {
  return <Dimmed size="xs">{isOff ? 'available if SERVICE_CAPABILITIES includes “status”' : '…'}</Dimmed>;
}

function IndexingRate({ indexed, all }: { readonly indexed: number; readonly all: number }) {
  const rate = useIndexingRate(indexed);
  if (rate === undefined) return null;
  const seconds = Math.ceil(Math.max(0, all - indexed) / rate);
  return (
    <Dimmed size="xs">
      {countText(Math.round(rate))} a second, {seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} remaining
    </Dimmed>
  );
}

const CODES: Readonly<Record<string, string>> = { none: 'none', awaited: 'wait for more points' };

/** Each vector with its graph. Sparse ones and several of a point have none: they are searched exactly. */
function VectorTable({ fields, status }: Pick<CollectionFacts, 'fields'> & { readonly status: CollectionStatus | undefined }) {
  return (
    <Section id="vectors" title="Vectors">
      <DataTable
        minWidth={status === undefined ? 300 : 640}
        headings={['Vector', ...(status === undefined ? [] : [right('Points'), 'In the graph', 'Codes', right('Parts'), right('Memory')])]}
      >
        {fields.map((field) => {
          const own = status?.vectors[field.name];
          return (
            <Table.Tr key={field.name}>
              <Table.Td>{vectorText(field)}</Table.Td>
              {status !== undefined && own === undefined && (
                <Table.Td colSpan={5} c="dimmed">
                  on disk, searched exactly
                </Table.Td>
              )}
              {own !== undefined && (
                <>
                  <Table.Td ta="right">{countText(own.vectors)}</Table.Td>
                  <Table.Td>
                    {own.graph ? (
                      <Group gap="xs" wrap="nowrap">
                        <Progress
                          value={own.vectors === 0 ? 100 : (100 * own.indexed) / own.vectors}
                          w={80}
                          size="sm"
                          aria-label={`${countText(own.indexed)} of ${countText(own.vectors)} in the graph`}
                        />
                        <Text size="sm">{countText(own.indexed)}</Text>
                      </Group>
                    ) : (
                      <Badge variant="default">no graph yet: searches scan all vectors</Badge>
                    )}
                  </Table.Td>
                  <Table.Td>{CODES[own.codes] ?? own.codes}</Table.Td>
                  <Table.Td ta="right">{own.shards}</Table.Td>
                  <Table.Td ta="right">{bytesText(own.memory_bytes)}</Table.Td>
                </>
              )}
            </Table.Tr>
          );
        })}
      </DataTable>
    </Section>
  );
}
