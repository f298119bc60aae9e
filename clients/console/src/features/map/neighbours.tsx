// SPDX-License-Identifier: Apache-2.0
import { Badge, Button, CloseButton, Group, Table, Text, Title, UnstyledButton } from '@mantine/core';
import type { JsonObject, PointId, TypedHit } from '@sextant/sdk';
import { Dimmed } from '../../ui/dimmed.tsx';
import { scoreText } from '../../ui/figures.ts';
import { jsonText } from '../../ui/json.ts';

type NeighboursProps = {
  readonly id: PointId;
  readonly hits: readonly TypedHit<JsonObject>[];
  /** Those that the map shows. */
  readonly rowOf: ReadonlyMap<string, number>;
  readonly onChoose: (row: number) => void;
  readonly onClose: () => void;
};

/** The nearest of one point in the whole collection, whether they are in the sample or not. */
export function Neighbours({ id, hits, rowOf, onChoose, onClose }: NeighboursProps) {
  return (
    <section aria-label={`Neighbours of ${id}`}>
      <Group gap="xs" mb={4} wrap="nowrap">
        <Title order={2} size="h6" style={{ overflowWrap: 'anywhere' }}>
          Nearest to {String(id)}
        </Title>
        <CloseButton size="sm" aria-label="Clear the chosen point" onClick={onClose} ml="auto" />
      </Group>
      <Table layout="fixed">
        <Table.Tbody>
          {hits.map((hit) => {
            const row = rowOf.get(String(hit.id));
            return (
              <Table.Tr key={String(hit.id)}>
                <Table.Td w={84} ta="right">
                  {scoreText(hit.score)}
                </Table.Td>
                <Table.Td w={120}>
                  {row === undefined ? (
                    <Group gap={4} wrap="nowrap">
                      <Text size="sm" ff="monospace" truncate>
                        {String(hit.id)}
                      </Text>
                      <Badge size="xs" variant="default" title="Not in the sample that the map shows">
                        off
                      </Badge>
                    </Group>
                  ) : (
                    <Button variant="subtle" size="compact-xs" ff="monospace" onClick={() => onChoose(row)} maw="100%">
                      {String(hit.id)}
                    </Button>
                  )}
                </Table.Td>
                <Table.Td>
                  <Text size="xs" ff="monospace" truncate>
                    {jsonText(hit.payload ?? {})}
                  </Text>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
}

type HighlightedListProps = {
  readonly points: readonly { readonly id: PointId; readonly reasons: readonly string[] }[];
  readonly rowOf: ReadonlyMap<string, number>;
  readonly focus: number | undefined;
  readonly onChoose: (row: number) => void;
};

/** The points that a scan found fault with, each with the reason. */
export function HighlightedList({ points, rowOf, focus, onChoose }: HighlightedListProps) {
  return (
    <section aria-label="Faulty points of the scan">
      <Title order={2} size="h6" mb={4}>
        Found by the scan
      </Title>
      {points.map(({ id, reasons }) => {
        const row = rowOf.get(String(id));
        return (
          <UnstyledButton
            key={String(id)}
            display="block"
            w="100%"
            px="xs"
            py={4}
            disabled={row === undefined}
            aria-pressed={row !== undefined && row === focus}
            onClick={() => row !== undefined && onChoose(row)}
            style={{
              borderRadius: 'var(--mantine-radius-sm)',
              background: row !== undefined && row === focus ? 'var(--mantine-primary-color-light)' : undefined,
            }}
          >
            <Text size="sm" ff="monospace" truncate>
              {String(id)}
            </Text>
            <Dimmed size="xs">
              {[...reasons, ...(row === undefined ? ['it is no longer in the collection, or has no such vector'] : [])].join('; ')}
            </Dimmed>
          </UnstyledButton>
        );
      })}
    </section>
  );
}
