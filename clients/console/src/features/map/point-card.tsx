// SPDX-License-Identifier: Apache-2.0
import { Paper, Table, Text } from '@mantine/core';
import type { JsonObject, PointId } from '@sextant/sdk';
import { Dimmed } from '../../ui/dimmed.tsx';
import { jsonText } from '../../ui/json.ts';

type PointCardProps = {
  readonly id: PointId;
  readonly payload: JsonObject | undefined;
  /** Why a scan found fault with it. */
  readonly reasons: readonly string[];
};

const MEMBERS = 8;

/** One point, in as few lines as tell what it is. */
export function PointCard({ id, payload, reasons }: PointCardProps) {
  const members = Object.entries(payload ?? {});
  return (
    <Paper withBorder shadow="sm" p="xs">
      <Text size="xs" fw={600} ff="monospace" truncate>
        {String(id)}
      </Text>
      {reasons.map((reason) => (
        <Text key={reason} size="xs" c="var(--mantine-color-error)">
          {reason}
        </Text>
      ))}
      <Table layout="fixed" verticalSpacing={1} horizontalSpacing={0} withRowBorders={false} fz="xs">
        <Table.Tbody>
          {members.slice(0, MEMBERS).map(([key, value]) => (
            <Table.Tr key={key}>
              <Table.Td w="35%" c="dimmed" pr="xs">
                <Text size="xs" truncate>
                  {key}
                </Text>
              </Table.Td>
              <Table.Td>
                <Text size="xs" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                  {typeof value === 'string' ? value : jsonText(value)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {members.length === 0 && <Dimmed size="xs">no payload</Dimmed>}
      {members.length > MEMBERS && <Dimmed size="xs">and {members.length - MEMBERS} more</Dimmed>}
    </Paper>
  );
}
