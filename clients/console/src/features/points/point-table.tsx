import { ActionIcon, Code, Group, Table, Text, Tooltip } from '@mantine/core';
import type { JsonObject, PointId, TypedRecord } from '@sextant/sdk';
import { IconEdit, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { jsonText } from '../../ui/json.ts';
import { DeletePoint } from './delete-point.tsx';
import { EditPayload } from './edit-payload.tsx';

type Point = TypedRecord<JsonObject>;

export function PointTable({ name, points }: { readonly name: string; readonly points: readonly Point[] }) {
  const [edited, setEdited] = useState<Point>();
  const [doomed, setDoomed] = useState<PointId>();
  return (
    <>
      <Table.ScrollContainer minWidth={480}>
        <Table highlightOnHover layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={180}>Id</Table.Th>
              <Table.Th>Payload</Table.Th>
              <Table.Th w={80} aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {points.map((point) => (
              <Table.Tr key={String(point.id)}>
                <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                  {String(point.id)}
                </Table.Td>
                <Table.Td>
                  <Payload payload={point.payload} />
                </Table.Td>
                <Table.Td style={{ verticalAlign: 'top' }}>
                  <Group gap={4} wrap="nowrap">
                    <Action label={`Edit the payload of ${point.id}`} onClick={() => setEdited(point)}>
                      <IconEdit size={14} />
                    </Action>
                    <Action label={`Delete point ${point.id}`} onClick={() => setDoomed(point.id)}>
                      <IconTrash size={14} />
                    </Action>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {edited !== undefined && <EditPayload name={name} point={edited} onClose={() => setEdited(undefined)} />}
      {doomed !== undefined && <DeletePoint name={name} id={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  );
}

type ActionProps = { readonly label: string; readonly onClick: () => void; readonly children: ReactNode };

function Action({ label, onClick, children }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** One line until it is opened. */
export function Payload({ payload }: { readonly payload: JsonObject | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  if (payload === undefined || Object.keys(payload).length === 0) {
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    );
  }
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
      style={{ all: 'unset', cursor: 'pointer', display: 'block', width: '100%' }}
    >
      {isOpen ? (
        <Code block>{jsonText(payload, 2)}</Code>
      ) : (
        <Text size="sm" truncate ff="monospace" component="span" display="block">
          {jsonText(payload)}
        </Text>
      )}
    </button>
  );
}
