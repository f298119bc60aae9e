// SPDX-License-Identifier: Apache-2.0
import { Checkbox, Group, Table, Text } from '@mantine/core';
import type { JsonObject, PointId, TypedRecord } from '@sextant/sdk';
import { IconEdit, IconTrash, IconVector } from '@tabler/icons-react';
import { useState } from 'react';
import { ACTIONS, DataTable } from '../../ui/data-table.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { cellText, Payload } from '../../widgets/payload.tsx';
import { DeletePoints } from './delete-points.tsx';
import { EditPayload } from './edit-payload.tsx';
import { PointVectors } from './point-vectors.tsx';

type Point = TypedRecord<JsonObject>;

type PointTableProps = {
  readonly name: string;
  readonly points: readonly Point[];
  /** Payload keys; none shows payloads whole. */
  readonly columns: readonly string[];
  /** Why a point is here, by id; where none has a reason, nothing is said. */
  readonly reasonsOf: ReadonlyMap<string, string>;
  /** Ids, as text. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
};

export function PointTable({ name, points, columns, reasonsOf, selected, onSelect }: PointTableProps) {
  const [edited, setEdited] = useState<Point>();
  const [looked, setLooked] = useState<PointId>();
  const [doomed, setDoomed] = useState<PointId>();
  const chosen = points.filter(({ id }) => selected.has(String(id))).length;
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <>
      <DataTable
        minWidth={480 + 90 * columns.length + (reasonsOf.size > 0 ? 220 : 0)}
        highlightOnHover
        layout="fixed"
        headings={[
          {
            label: (
              <Checkbox
                aria-label="Select all on this page"
                checked={chosen === points.length}
                indeterminate={chosen > 0 && chosen < points.length}
                onChange={() => onSelect(chosen === points.length ? new Set() : new Set(points.map(({ id }) => String(id))))}
              />
            ),
            w: 36,
          },
          { label: 'Id', w: 150 },
          reasonsOf.size > 0 && { label: 'Finding of the scan', w: 220 },
          ...(columns.length === 0 ? ['Payload'] : columns),
          { ...ACTIONS, w: 104 },
        ]}
      >
        {points.map((point) => (
          <Table.Tr key={String(point.id)} style={{ verticalAlign: 'top' }}>
            <Table.Td>
              <Checkbox
                aria-label={`Select ${point.id}`}
                checked={selected.has(String(point.id))}
                onChange={() => toggle(String(point.id))}
              />
            </Table.Td>
            <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {String(point.id)}
            </Table.Td>
            {reasonsOf.size > 0 && <Table.Td>{reasonsOf.get(String(point.id))}</Table.Td>}
            {columns.length === 0 ? (
              <Table.Td>
                <Payload payload={point.payload} />
              </Table.Td>
            ) : (
              columns.map((column) => (
                <Table.Td key={column}>
                  <Text size="sm" truncate title={cellText(point.payload?.[column])}>
                    {cellText(point.payload?.[column])}
                  </Text>
                </Table.Td>
              ))
            )}
            <Table.Td>
              <Group gap={4} wrap="nowrap">
                <IconButton label={`Show the vectors of ${point.id}`} icon={IconVector} onClick={() => setLooked(point.id)} />
                <IconButton label={`Edit the payload of ${point.id}`} icon={IconEdit} onClick={() => setEdited(point)} />
                <IconButton label={`Delete point ${point.id}`} icon={IconTrash} onClick={() => setDoomed(point.id)} />
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {edited !== undefined && <EditPayload name={name} point={edited} onClose={() => setEdited(undefined)} />}
      {looked !== undefined && <PointVectors name={name} id={looked} onClose={() => setLooked(undefined)} />}
      {doomed !== undefined && (
        <DeletePoints name={name} ids={[doomed]} onClose={() => setDoomed(undefined)} onDeleted={() => onSelect(new Set())} />
      )}
    </>
  );
}
