// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Select, Table, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type CollectionFacts, refreshCollection } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { ACTIONS, DataTable, right } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { countText } from '../../ui/figures.ts';
import { Form } from '../../ui/form.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Section } from '../../ui/section.tsx';

const TYPES = ['keyword', 'integer', 'float', 'bool', 'datetime', 'uuid', 'geo', 'text'] as const;
type FieldType = (typeof TYPES)[number];

/** Never rounded to all or none of them. */
function shareText(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return `${part > 0 && part < whole ? Math.min(99.9, Math.max(0.1, percent)).toFixed(1) : Math.round(percent)} %`;
}

export function FieldIndexes({ name, info }: CollectionFacts) {
  const { vector } = useServices();
  const collection = vector.collection(name);
  const refresh = () => refreshCollection(name);
  const deletion = useMutation({ mutationFn: (field: string) => collection.deleteFieldIndex(field), onSuccess: refresh });
  const rows = Object.entries(info.payload_schema);
  return (
    <Section id="field-indexes" title="Field indexes">
      {rows.length === 0 ? (
        <Dimmed mb="xs">No field indexes. Filters read every payload. Index the keys that you filter by to make filters fast.</Dimmed>
      ) : (
        <DataTable mb="xs" maw={640} headings={['Key', 'Type', right('Points with the field'), { ...ACTIONS, w: 40 }]}>
          {rows.map(([field, { data_type, points }]) => (
            <Table.Tr key={field}>
              <Table.Td ff="monospace">{field}</Table.Td>
              <Table.Td>{data_type}</Table.Td>
              <Table.Td ta="right">
                {countText(points)}
                {info.points_count > 0 && ` (${shareText(points, info.points_count)})`}
              </Table.Td>
              <Table.Td>
                <IconButton label={`Delete the index of ${field}`} icon={IconTrash} onClick={() => deletion.mutate(field)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      {deletion.isError && <ErrorPanel error={deletion.error} doing="delete the index" />}
      <CreateFieldIndex name={name} onCreated={refresh} />
    </Section>
  );
}

function CreateFieldIndex({ name, onCreated }: { readonly name: string; readonly onCreated: () => Promise<void> }) {
  const { vector } = useServices();
  const [field, setField] = useState('');
  const [type, setType] = useState<FieldType>('keyword');
  const creation = useMutation({
    mutationFn: () => vector.collection(name).createFieldIndex(field.trim(), type),
    onSuccess: async () => {
      setField('');
      await onCreated();
    },
  });
  return (
    <Form onSubmit={() => creation.mutate()}>
      <Group gap="xs" align="end">
        <TextInput label="Key" placeholder="city or address.city" {...textField(field, setField)} required />
        <Select
          label="Type"
          data={TYPES}
          value={type}
          onChange={(value) => setType(TYPES.find((each) => each === value) ?? 'keyword')}
          allowDeselect={false}
          w={120}
        />
        <Button type="submit" variant="default" loading={creation.isPending}>
          Index this key
        </Button>
      </Group>
      {creation.isError && <ErrorPanel error={creation.error} doing="create the index" />}
    </Form>
  );
}
