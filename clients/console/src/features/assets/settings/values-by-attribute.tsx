// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Group, Input, Select, Stack, TagsInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';

type Values = { readonly [attribute: string]: readonly string[] };

type ValuesByAttributeProps = {
  readonly label: string;
  readonly description: string;
  readonly attributes: readonly string[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

/** Values of some attributes, each with a row of its own. */
export function ValuesByAttribute({ label, description, attributes, values, onChange }: ValuesByAttributeProps) {
  const others = attributes.filter((name) => values[name] === undefined);
  return (
    <Input.Wrapper label={label} description={description} size="xs" labelElement="div">
      <Stack gap={6} mt={6}>
        {Object.entries(values).map(([attribute, chosen]) => (
          <TagsInput
            key={attribute}
            label={attribute}
            aria-label={`${label}: values of ${attribute}`}
            placeholder="A value, then Enter"
            value={[...chosen]}
            onChange={(next) => onChange({ ...values, [attribute]: next })}
            rightSection={
              <ActionIcon
                size="sm"
                aria-label={`${label}: without ${attribute}`}
                onClick={() => onChange(Object.fromEntries(Object.entries(values).filter(([name]) => name !== attribute)))}
              >
                <IconTrash size={14} />
              </ActionIcon>
            }
          />
        ))}
        <Group>
          <Select
            aria-label={`${label}: add an attribute`}
            placeholder="Add an attribute"
            data={others}
            value={null}
            onChange={(name) => name !== null && onChange({ ...values, [name]: [] })}
            searchable
            w={240}
          />
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
