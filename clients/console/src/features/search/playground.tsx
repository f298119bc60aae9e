import { Alert, Button, Group, JsonInput, NumberInput, Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { parseJson } from '@sextant/foundation-std';
import type { Filter } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import type { CollectionFacts } from '../collections/collection-facts.ts';
import { vectorText } from '../collections/queries.ts';
import { pointId } from '../points/point-id.ts';
import { compare, type SearchQuestion } from './compare.ts';
import { FilterForm } from './filter-form.tsx';
import { Hits } from './hits.tsx';

type By = 'id' | 'vector';
const WAYS: readonly { readonly value: By; readonly label: string }[] = [
  { value: 'id', label: 'the point with the id' },
  { value: 'vector', label: 'this vector' },
];
const USUAL_LIMIT = 10;
const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } };

/** Asks the same question twice, of the graph and exactly, and shows both answers side by side. */
export function Playground({ name, info, fields }: CollectionFacts) {
  const { vector } = useServices();
  const dense = fields.filter(({ kind }) => kind === 'dense');
  const [using, setUsing] = useState(dense[0]?.name ?? '');
  const [by, setBy] = useState<By>('id');
  const [id, setId] = useState('');
  const [numbers, setNumbers] = useState('');
  const [filter, setFilter] = useState('');
  const [limit, setLimit] = useState<number | string>(USUAL_LIMIT);
  const [ef, setEf] = useState<number | string>('');
  const [isCompared, setIsCompared] = useState(true);
  const search = useMutation({
    mutationFn: () => compare(vector.collection(name), questionOf({ by, id, numbers, filter, using, limit, ef }), isCompared),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    search.mutate();
  };
  if (dense.length === 0) return <Alert variant="light">This collection has no dense vector to search by here.</Alert>;
  return (
    <Stack gap="md">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Group align="end" gap="sm">
            {dense.length > 1 && (
              <Select
                label="Vector"
                data={dense.map((field) => ({ value: field.name, label: vectorText(field) }))}
                value={using}
                onChange={(value) => setUsing(value ?? '')}
                allowDeselect={false}
              />
            )}
            <Select
              label="Nearest to"
              data={WAYS}
              value={by}
              onChange={(value) => setBy(value === 'vector' ? 'vector' : 'id')}
              allowDeselect={false}
            />
            {by === 'id' && <TextInput label="Id" value={id} onChange={(event) => setId(event.currentTarget.value)} required />}
            <NumberInput label="Hits" value={limit} onChange={setLimit} min={1} max={1000} w={80} required />
            <NumberInput label="Beam (ef)" placeholder="default" value={ef} onChange={setEf} min={1} w={100} />
            <Switch
              label="Compare with exact"
              checked={isCompared}
              onChange={(event) => setIsCompared(event.currentTarget.checked)}
              mb={6}
            />
          </Group>
          {by === 'vector' && (
            <Textarea
              label="Numbers"
              placeholder="[0.12, -0.5, …]"
              value={numbers}
              onChange={(event) => setNumbers(event.currentTarget.value)}
              autosize
              minRows={2}
              maxRows={6}
              styles={MONOSPACE}
              required
            />
          )}
          <FilterForm indexed={Object.keys(info.payload_schema)} onAdd={(condition) => setFilter(withCondition(filter, condition))} />
          <JsonInput
            label="Filter"
            description="What the form above builds; it can be changed here."
            value={filter}
            onChange={setFilter}
            autosize
            minRows={1}
            maxRows={12}
            size="xs"
            styles={MONOSPACE}
          />
          <Group>
            <Button type="submit" loading={search.isPending}>
              Search
            </Button>
          </Group>
        </Stack>
      </form>
      {search.isError && <ErrorPanel error={search.error} doing="search" />}
      {search.data !== undefined && (
        <SimpleGrid cols={{ base: 1, md: search.data.exact === undefined ? 1 : 2 }} spacing="md">
          <Hits title="Search" answer={search.data.approximate} recall={search.data.recall} />
          {search.data.exact !== undefined && <Hits title="Exact" answer={search.data.exact} />}
        </SimpleGrid>
      )}
    </Stack>
  );
}

type Form = {
  readonly by: By;
  readonly id: string;
  readonly numbers: string;
  readonly filter: string;
  readonly using: string;
  readonly limit: number | string;
  readonly ef: number | string;
};

function questionOf({ by, id, numbers, filter, using, limit, ef }: Form): SearchQuestion {
  return {
    query: by === 'id' ? pointId(id) : vectorOf(numbers),
    limit: Number(limit),
    ...(using !== '' && { using }),
    // The service judges it, and says what is wrong.
    ...(filter.trim() !== '' && { filter: parseJson(filter) as Filter }),
    ...(ef !== '' && { ef: Number(ef) }),
  };
}

function vectorOf(text: string): readonly number[] {
  const numbers = text
    .split(/[\s,[\]]+/)
    .filter((each) => each !== '')
    .map(Number);
  if (numbers.length === 0 || numbers.some((each) => !Number.isFinite(each)))
    throw new Error('The vector has to be numbers, with commas or spaces between them.');
  return numbers;
}

/** The condition joins those that must hold. */
function withCondition(written: string, condition: unknown): string {
  const filter = written.trim() === '' ? {} : (JSON.parse(written) as { must?: unknown });
  const must = filter.must === undefined ? [] : Array.isArray(filter.must) ? filter.must : [filter.must];
  return JSON.stringify({ ...filter, must: [...must, condition] }, null, 2);
}
