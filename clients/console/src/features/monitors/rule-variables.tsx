// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Autocomplete, Button, Group, Select, Stack, TagsInput, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { Dimmed } from '../../ui/dimmed.tsx';
import { textField } from '../../ui/fields.ts';
import type { FormPartProps } from './form-part.tsx';
import type { RuleVariable } from './monitor-form.ts';
import { writtenValues } from './monitor-form.ts';

const KINDS = [
  { value: 'CONSTANT', label: 'one value' },
  { value: 'LIST', label: 'a list' },
  { value: 'RANGE', label: 'a range' },
  { value: 'REFERENCE', label: 'an attribute' },
] as const satisfies readonly { readonly value: RuleVariable['type']; readonly label: string }[];

type RuleVariablesProps = {
  readonly variables: readonly RuleVariable[];
  readonly attributes: readonly string[];
  readonly onChange: (variables: readonly RuleVariable[]) => void;
  readonly errorAt: FormPartProps['errorAt'];
};

/** Names that a rule uses in place of values, so that one rule can be given other values. */
export function RuleVariables({ variables, attributes, onChange, errorAt }: RuleVariablesProps) {
  const put = (index: number, variable: RuleVariable) => onChange(variables.map((each, at) => (at === index ? variable : each)));
  const error = errorAt('monitor.variables');
  return (
    <Stack gap="xs" role="group" aria-label="Variables">
      <div>
        <Text size="xs" fw={500}>
          Variables
        </Text>
        <Dimmed size="xs">Names that the rule may use in place of values.</Dimmed>
      </div>
      {variables.map((variable, index) => (
        // Variables have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps the focus while its name changes
        <Group key={index} gap="xs" wrap="nowrap" align="start">
          <TextInput
            aria-label="Name of the variable"
            placeholder="name"
            {...textField(variable.name, (name) => put(index, { ...variable, name }))}
            w={110}
          />
          <Select
            aria-label="Kind of the variable"
            data={KINDS}
            value={variable.type}
            onChange={(type) => type !== null && put(index, { ...variable, type, value: writtenValues(type, variable.value, []) })}
            allowDeselect={false}
            w={110}
          />
          <VariableValue variable={variable} attributes={attributes} onChange={(value) => put(index, { ...variable, value })} />
          <Tooltip label="Remove this variable">
            <ActionIcon
              aria-label={`Remove the variable ${variable.name}`}
              onClick={() => onChange(variables.filter((_, at) => at !== index))}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </Tooltip>
        </Group>
      ))}
      {error !== undefined && (
        <Text size="xs" c="red" role="alert">
          {error}
        </Text>
      )}
      <Button
        variant="default"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...variables, { name: '', type: 'CONSTANT', value: [''] }])}
        w="fit-content"
      >
        Add a variable
      </Button>
    </Stack>
  );
}

type VariableValueProps = {
  readonly variable: RuleVariable;
  readonly attributes: readonly string[];
  readonly onChange: (value: RuleVariable['value']) => void;
};

function VariableValue({ variable: { type, value }, attributes, onChange }: VariableValueProps) {
  const texts = value.map(String);
  const write = (written: readonly string[]) => onChange(writtenValues(type, written, value));
  const style = { flex: 1, minWidth: 0 };
  switch (type) {
    case 'LIST':
      return <TagsInput aria-label="Values" value={texts} onChange={write} style={style} />;
    case 'RANGE':
      return (
        <Group gap="xs" wrap="nowrap" style={style}>
          {(['From', 'To'] as const).map((label, end) => (
            <TextInput
              key={label}
              aria-label={label}
              placeholder={label.toLowerCase()}
              {...textField(texts[end] ?? '', (text) => write([0, 1].map((at) => (at === end ? text : (texts[at] ?? '')))))}
              style={style}
            />
          ))}
        </Group>
      );
    case 'REFERENCE':
      return (
        <Autocomplete
          aria-label="Attribute"
          data={[...attributes]}
          value={texts[0] ?? ''}
          onChange={(name) => write([name])}
          style={style}
        />
      );
    case 'CONSTANT':
      return <TextInput aria-label="Value" {...textField(texts[0] ?? '', (text) => write([text]))} style={style} />;
  }
}
