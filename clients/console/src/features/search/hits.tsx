// SPDX-License-Identifier: Apache-2.0
import { Badge, Group, Table, Text, Title, Tooltip } from '@mantine/core';
import type { PointId } from '@sextant/sdk';
import { DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { alignedScores, millisecondsText } from '../../ui/figures.ts';
import { cellText, Payload } from '../../widgets/payload.tsx';
import type { Answer } from './compare.ts';

type HitsProps = {
  readonly title: string;
  readonly answer: Answer;
  readonly recall?: number | undefined;
  /** Payload keys; none shows payloads whole. */
  readonly columns: readonly string[];
  /** Says which hits the other answer has not. */
  readonly isMissed?: (id: PointId) => boolean;
};

const GOOD_RECALL = 0.95;

export function Hits({ title, answer: { hits, roundTripMs, serviceMs }, recall, columns, isMissed }: HitsProps) {
  const scores = alignedScores(hits.map(({ score }) => score));
  return (
    <section aria-label={`${title}: hits`} style={{ minWidth: 0 }}>
      <Group gap="xs" mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {serviceMs !== undefined && (
          <Tooltip label="Time reported by the service">
            <Badge variant="default" tabIndex={0}>
              {millisecondsText(serviceMs)} in the service
            </Badge>
          </Tooltip>
        )}
        <Tooltip label="Measured in this browser, including the network">
          <Badge variant="default" tabIndex={0}>
            {millisecondsText(roundTripMs)} round trip
          </Badge>
        </Tooltip>
        {recall !== undefined && (
          <Badge variant="dot" color={recall >= GOOD_RECALL ? 'teal' : 'yellow'}>
            recall {recall.toFixed(2)}
          </Badge>
        )}
      </Group>
      {hits.length === 0 ? (
        <Dimmed>No point matches.</Dimmed>
      ) : (
        <DataTable
          minWidth={320 + 110 * columns.length}
          layout="fixed"
          headings={[
            { ...right('#'), w: 40 },
            { label: 'Id', w: 110 },
            { ...right('Score'), w: 90 },
            ...(columns.length === 0 ? ['Payload'] : columns),
          ]}
        >
          {hits.map((hit, i) => (
            <Table.Tr key={String(hit.id)}>
              <Table.Td ta="right" c="dimmed">
                {i + 1}
              </Table.Td>
              <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {String(hit.id)}
                {isMissed?.(hit.id) === true && (
                  <Badge size="xs" color="yellow" variant="light" ml={6}>
                    missed
                  </Badge>
                )}
              </Table.Td>
              <Table.Td ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
                {scores[i]}
              </Table.Td>
              {columns.length === 0 ? (
                <Table.Td>
                  <Payload payload={hit.payload} />
                </Table.Td>
              ) : (
                columns.map((column) => (
                  <Table.Td key={column}>
                    <Text size="sm" truncate title={cellText(hit.payload?.[column])}>
                      {cellText(hit.payload?.[column])}
                    </Text>
                  </Table.Td>
                ))
              )}
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}
