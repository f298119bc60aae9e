import { Badge, Group, Table, Text, Title } from '@mantine/core';
import { millisecondsText, scoreText } from '../../ui/figures.ts';
import { Payload } from '../points/point-table.tsx';
import type { Answer } from './compare.ts';

type HitsProps = { readonly title: string; readonly answer: Answer; readonly recall?: number | undefined };

export function Hits({ title, answer: { hits, milliseconds }, recall }: HitsProps) {
  return (
    <section aria-label={`${title}: hits`}>
      <Group gap="xs" mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Badge variant="default">{millisecondsText(milliseconds)}</Badge>
        {recall !== undefined && (
          <Badge variant="dot" color={recall >= 0.95 ? 'teal' : 'yellow'}>
            recall {recall.toFixed(2)}
          </Badge>
        )}
      </Group>
      {hits.length === 0 ? (
        <Text size="sm" c="dimmed">
          No point passes.
        </Text>
      ) : (
        <Table layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={40} ta="right">
                #
              </Table.Th>
              <Table.Th w={110}>Id</Table.Th>
              <Table.Th w={90} ta="right">
                Score
              </Table.Th>
              <Table.Th>Payload</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {hits.map((hit, i) => (
              <Table.Tr key={String(hit.id)}>
                <Table.Td ta="right" c="dimmed">
                  {i + 1}
                </Table.Td>
                <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {String(hit.id)}
                </Table.Td>
                <Table.Td ta="right">{scoreText(hit.score)}</Table.Td>
                <Table.Td>
                  <Payload payload={hit.payload} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}
