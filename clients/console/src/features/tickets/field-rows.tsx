// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Box, Button, Group, JsonInput, Menu, Paper, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { textField } from '../../ui/fields.ts';
import { type FieldRow, nextKey } from './template-form.ts';
import { VariableText } from './variable-text.tsx';
import { variable } from './variables.ts';

/** Fields that nearly every tracker has, with what one would write there. */
const USUAL: readonly Omit<FieldRow, 'key'>[] = [
  { name: 'summary', kind: 'text', value: `${variable('asset.name')}: ${variable('incident.description')}` },
  { name: 'description', kind: 'text', value: `${variable('incident.description')}\n${variable('link')}` },
  { name: 'priority', kind: 'json', value: '{ "name": "High" }' },
  { name: 'labels', kind: 'json', value: `["data-quality", "${variable('asset.type')}"]` },
];

type FieldRowsProps = {
  readonly fields: readonly FieldRow[];
  readonly problems: ReadonlyMap<number, string>;
  readonly onChange: (fields: readonly FieldRow[]) => void;
};

/** The fields of the ticket, by their names in the tracker. */
export function FieldRows({ fields, problems, onChange }: FieldRowsProps) {
  const put = (row: FieldRow) => onChange(fields.map((each) => (each.key === row.key ? row : each)));
  const add = (row: Omit<FieldRow, 'key'>) => onChange([...fields, { ...row, key: nextKey(fields) }]);
  const left = USUAL.filter(({ name }) => !fields.some((each) => each.name === name));
  return (
    <Stack gap="xs" role="group" aria-label="Fields">
      {fields.map((row) => (
        <Paper key={row.key} withBorder p="xs">
          <Group gap="xs" align="start" wrap="nowrap">
            <TextInput
              aria-label="Name of the field"
              placeholder="field"
              {...textField(row.name, (name) => put({ ...row, name }))}
              error={problems.has(row.key)}
              style={{ flex: 1 }}
            />
            <Select
              aria-label={`Kind of ${row.name}`}
              data={[
                { value: 'text', label: 'text' },
                { value: 'json', label: 'JSON' },
              ]}
              value={row.kind}
              onChange={(kind) => kind !== null && put({ ...row, kind })}
              allowDeselect={false}
              w={90}
            />
            <Tooltip label={`Remove ${row.name}`}>
              <ActionIcon aria-label={`Remove ${row.name}`} onClick={() => onChange(fields.filter(({ key }) => key !== row.key))}>
                <IconTrash size={14} />
              </ActionIcon>
            </Tooltip>
          </Group>
          <Box mt="xs">
            {row.kind === 'text' ? (
              <VariableText label={`Value of ${row.name}`} value={row.value} onChange={(value) => put({ ...row, value })} />
            ) : (
              <JsonInput
                aria-label={`Value of ${row.name}`}
                value={row.value}
                onChange={(value) => put({ ...row, value })}
                autosize
                minRows={1}
              />
            )}
          </Box>
          {problems.has(row.key) && (
            <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
              {problems.get(row.key)}
            </Text>
          )}
        </Paper>
      ))}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<IconPlus size={14} />} w="fit-content">
            Add a field
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {left.map((row) => (
            <Menu.Item key={row.name} onClick={() => add(row)}>
              {row.name}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => add({ name: '', kind: 'text', value: '' })}>another field</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Stack>
  );
}
