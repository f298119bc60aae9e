// SPDX-License-Identifier: Apache-2.0
import { Group, Input, Select, Stack, Text } from '@mantine/core';
import type { Attribute } from '@sextant/sdk';
import type { Reading } from './reading-form.tsx';

type Types = NonNullable<Reading['types']>;

const TYPES = ['STRING', 'INTEGER', 'DECIMAL', 'BOOLEAN', 'DATE', 'TIMESTAMP'] as const;

type TypesByAttributeProps = {
  readonly attributes: readonly Attribute[];
  readonly types: Types;
  readonly onChange: (types: Types) => void;
};

/** The type of each attribute: chosen, or else the one that the first scan found. */
export function TypesByAttribute({ attributes, types, onChange }: TypesByAttributeProps) {
  const choose = (name: string, value: string | null) => {
    const { [name]: _before, ...others } = types;
    const type = TYPES.find((candidate) => candidate === value);
    onChange(type === undefined ? others : { ...others, [name]: type });
  };
  return (
    <Input.Wrapper
      label="Types"
      description="Values that do not match the type count as type mismatches; an attribute without a chosen type keeps the type that the first scan detected"
      size="xs"
      labelElement="div"
    >
      <Stack gap={6} mt={6}>
        {attributes.map(({ name, data_type: found }) => (
          <Group key={name} gap="sm" wrap="nowrap">
            <Text size="sm" flex={1} truncate>
              {name}
            </Text>
            <Select
              aria-label={`Type of ${name}`}
              data={TYPES}
              value={types[name] ?? null}
              placeholder={found}
              onChange={(value) => choose(name, value)}
              clearable
              size="xs"
              w={160}
            />
          </Group>
        ))}
      </Stack>
    </Input.Wrapper>
  );
}
