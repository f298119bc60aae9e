// SPDX-License-Identifier: Apache-2.0
import { Autocomplete, Group, Input, Stack, Text } from '@mantine/core';
import { attributeTitle } from '../../../data/metrics/series.ts';
import { type TextMembers, withMember } from './text-members.ts';

type TextByVectorProps = {
  readonly vectors: readonly string[];
  readonly members: readonly string[];
  readonly values: TextMembers;
  readonly onChange: (values: TextMembers) => void;
  readonly errorOf: (vector: string) => string | undefined;
};

/** The payload member that each vector is made from: written here, or else detected by scans. */
export function TextByVector({ vectors, members, values, onChange, errorOf }: TextByVectorProps) {
  const named = [...new Set([...vectors, ...Object.keys(values)])];
  return (
    <Input.Wrapper
      label="Source texts of the vectors"
      description={
        named.length === 0
          ? 'The payload member whose text a vector embeds; the first scan lists the vectors'
          : 'The payload member whose text a vector embeds; if empty, scans detect it'
      }
      size="xs"
      labelElement="div"
    >
      <Stack gap={6} mt={6}>
        {named.map((vector) => (
          <Group key={vector} gap="sm" wrap="nowrap">
            <Text size="sm" flex={1} truncate>
              {attributeTitle(vector)}
            </Text>
            <Autocomplete
              aria-label={`Text of ${attributeTitle(vector)}`}
              data={[...members]}
              value={values[vector] ?? ''}
              placeholder="detected by scans"
              error={errorOf(vector)}
              onChange={(member) => onChange(withMember(values, vector, member))}
              w={240}
            />
          </Group>
        ))}
      </Stack>
    </Input.Wrapper>
  );
}
