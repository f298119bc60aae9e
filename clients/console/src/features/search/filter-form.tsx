// SPDX-License-Identifier: Apache-2.0
import { Autocomplete, Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { textField } from '../../ui/fields.ts';

const CLAUSES = [
  { value: 'must', label: 'and' },
  { value: 'must_not', label: 'and not' },
  { value: 'should', label: 'at least one of' },
] as const;
const RELATIONS = ['is', 'is any of', 'contains', 'at least', 'at most', 'is empty'] as const;
type Relation = (typeof RELATIONS)[number];

type FilterFormProps = { readonly indexed: readonly string[]; readonly onAdd: (clause: string, condition: unknown) => void };

/** Builds one condition of a filter. */
export function FilterForm({ indexed, onAdd }: FilterFormProps) {
  const [clause, setClause] = useState<string>('must');
  const [key, setKey] = useState('');
  const [relation, setRelation] = useState<Relation>('is');
  const [value, setValue] = useState('');
  const isComplete = key.trim() !== '' && (relation === 'is empty' || value.trim() !== '');
  return (
    <Group align="end" gap="xs">
      <Select
        aria-label="Clause"
        data={CLAUSES}
        value={clause}
        onChange={(chosen) => setClause(chosen ?? 'must')}
        allowDeselect={false}
        w={130}
      />
      <Autocomplete label="Where" placeholder="key" data={indexed} value={key} onChange={setKey} />
      <Select
        aria-label="Relation"
        data={RELATIONS}
        value={relation}
        onChange={(chosen) => setRelation(RELATIONS.find((each) => each === chosen) ?? 'is')}
        allowDeselect={false}
        w={110}
      />
      {relation !== 'is empty' && (
        <TextInput aria-label="Value" placeholder={relation === 'is any of' ? 'a, b, c' : 'value'} {...textField(value, setValue)} />
      )}
      <Button variant="default" disabled={!isComplete} onClick={() => onAdd(clause, conditionOf(key.trim(), relation, value))}>
        Add to the filter
      </Button>
    </Group>
  );
}

function conditionOf(key: string, relation: Relation, value: string): unknown {
  switch (relation) {
    case 'is':
      return { key, match: { value: scalar(value) } };
    case 'is any of':
      return { key, match: { any: value.split(',').map(scalar) } };
    case 'contains':
      return { key, match: { text: value } };
    case 'at least':
      return { key, range: { gte: scalar(value) } };
    case 'at most':
      return { key, range: { lte: scalar(value) } };
    case 'is empty':
      return { is_empty: { key } };
  }
}

/** A number or a boolean where the text is one; quotes keep it a text. */
function scalar(text: string): string | number | boolean {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  return trimmed.replace(/^"(.*)"$/, '$1');
}
