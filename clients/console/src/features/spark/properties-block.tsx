// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { textField } from '../../ui/fields.ts';
import { BlockCard } from './block-card.tsx';
import { type Property, propertiesOf, propertyProblems } from './blocks.ts';

type PropertiesBlockProps = { readonly stored: { readonly [name: string]: string } | undefined };

const EMPTY: Property = { name: '', value: '' };

export function PropertiesBlock({ stored }: PropertiesBlockProps) {
  const before = Object.entries(stored ?? {}).map(([name, value]) => ({ name, value }));
  const [rows, setRows] = useState<readonly Property[]>(before.length === 0 ? [EMPTY] : before);
  const problems = propertyProblems(rows);
  const now = propertiesOf(rows);
  const change = (row: number, part: Partial<Property>) =>
    setRows(rows.map((each, index) => (index === row ? { ...each, ...part } : each)));
  return (
    <BlockCard
      block="spark_properties"
      title="Spark properties"
      purpose="They must fit the node types: a driver cannot have more memory than its node."
      isStored={stored !== undefined}
      written={now}
      isChanged={JSON.stringify(now) !== JSON.stringify(stored)}
      isRefused={problems.some((problem) => problem !== undefined)}
      onReset={() => setRows(before.length === 0 ? [EMPTY] : before)}
      isSaid={() => false}
    >
      {() => (
        <Stack gap="xs">
          {rows.map(({ name, value }, row) => (
            // Rows have no identity but their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Group key={row} gap="xs" wrap="nowrap" align="start">
              <TextInput
                aria-label={`Name of property ${row + 1}`}
                placeholder="spark.driver.memory"
                {...textField(name, (name) => change(row, { name }))}
                error={problems[row]}
                style={{ flex: 3, minWidth: 0 }}
              />
              <TextInput
                aria-label={`Value of property ${row + 1}`}
                placeholder="4g"
                {...textField(value, (text) => change(row, { value: text }))}
                style={{ flex: 2, minWidth: 0 }}
              />
              <ActionIcon
                size={30}
                aria-label={`Remove property ${row + 1}`}
                onClick={() => setRows(rows.filter((_, index) => index !== row))}
              >
                <IconX size={14} />
              </ActionIcon>
            </Group>
          ))}
          <Group>
            <Button variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => setRows([...rows, EMPTY])}>
              Add a property
            </Button>
          </Group>
        </Stack>
      )}
    </BlockCard>
  );
}
