// SPDX-License-Identifier: Apache-2.0
import { Group, JsonInput, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { VectorField } from '../../data/collections/queries.ts';
import { vectorText } from '../../data/collections/queries.ts';
import { checkField, textField } from '../../ui/fields.ts';
import type { By, SearchForm } from './search-form.ts';

const WAYS: readonly { readonly value: By; readonly label: string }[] = [
  { value: 'id', label: 'the point with the id' },
  { value: 'text', label: 'this text' },
  { value: 'vector', label: 'this vector' },
  { value: 'examples', label: 'points like an example' },
];
const LIMIT_MAX = 1_000;
export const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

type SearchFieldsProps = {
  readonly fields: readonly VectorField[];
  readonly field: VectorField;
  readonly form: SearchForm;
  readonly onChange: (part: Partial<SearchForm>) => void;
  readonly problemAt: (field: keyof SearchForm) => string | undefined;
};

/** What is sought, and how. */
export function SearchFields({ fields, field, form, onChange, problemAt }: SearchFieldsProps) {
  return (
    <>
      <Group align="start" gap="sm">
        {fields.length > 1 && (
          <Select
            label="Vector"
            data={fields.map((each) => ({ value: each.name, label: vectorText(each) }))}
            value={field.name}
            onChange={(value) => onChange({ using: value ?? '' })}
            allowDeselect={false}
          />
        )}
        <Select
          label="Nearest to"
          data={WAYS}
          value={form.by}
          onChange={(value) => onChange({ by: WAYS.find((way) => way.value === value)?.value ?? 'id' })}
          allowDeselect={false}
        />
        {form.by === 'id' && <TextInput label="Id" {...textField(form.id, (id) => onChange({ id }))} error={problemAt('id')} required />}
        <NumberInput label="Hits" value={form.limit} onChange={(limit) => onChange({ limit })} min={1} max={LIMIT_MAX} w={80} required />
        <NumberInput
          label="ef"
          placeholder="default"
          value={form.ef}
          onChange={(ef) => onChange({ ef })}
          min={1}
          w={100}
          disabled={form.isExact}
        />
        <NumberInput
          label={field.distance === 'Euclid' || field.distance === 'Manhattan' ? 'Maximum distance' : 'Minimum score'}
          placeholder="any"
          value={form.threshold}
          onChange={(threshold) => onChange({ threshold })}
          w={120}
        />
        <Switch label="Exact" {...checkField(form.isExact, (isExact) => onChange({ isExact }))} mt={28} />
        <Switch
          label="Compare with exact"
          {...checkField(form.isCompared && !form.isExact, (isCompared) => onChange({ isCompared }))}
          disabled={form.isExact}
          mt={28}
        />
      </Group>
      {form.by === 'text' && (
        <Group align="start" gap="sm" preventGrowOverflow={false}>
          <TextInput label="Text" {...textField(form.text, (text) => onChange({ text }))} error={problemAt('text')} miw={320} required />
          <TextInput
            label="Model"
            description="The model that made the stored vectors; Qdrant/bm25 for sparse vectors."
            {...textField(form.model, (model) => onChange({ model }))}
            error={problemAt('model')}
            miw={240}
            required
          />
        </Group>
      )}
      {form.by === 'vector' && (
        <Textarea
          label={field.kind === 'dense' ? 'Numbers' : 'Vector as JSON'}
          placeholder={PLACEHOLDERS[field.kind]}
          {...textField(form.numbers, (numbers) => onChange({ numbers }))}
          error={problemAt('numbers')}
          autosize
          minRows={2}
          maxRows={6}
          styles={MONOSPACE}
          required
        />
      )}
      {form.by === 'examples' && (
        <Group align="start" gap="sm" grow preventGrowOverflow={false}>
          <JsonInput
            label="Like points with"
            description="Up to 16 points with these payload values serve as examples."
            placeholder='{"city": "Rome"}'
            value={form.like}
            onChange={(like) => onChange({ like })}
            error={problemAt('like')}
            autosize
            minRows={2}
            styles={MONOSPACE}
            miw={240}
            required
          />
          <JsonInput
            label="Unlike points with"
            description="Hits should be unlike these points. Optional."
            value={form.unlike}
            onChange={(unlike) => onChange({ unlike })}
            error={problemAt('unlike')}
            autosize
            minRows={2}
            styles={MONOSPACE}
            miw={240}
          />
        </Group>
      )}
    </>
  );
}

const PLACEHOLDERS: Readonly<Record<VectorField['kind'], string>> = {
  dense: '[0.12, -0.5, …]',
  sparse: '{"indices": [1, 7], "values": [0.5, 0.2]}',
  multi: '[[0.12, -0.5, …], …]',
};
