// SPDX-License-Identifier: Apache-2.0
import { Button, CopyButton, Group, JsonInput, Menu, SimpleGrid, Stack, Text } from '@mantine/core';
import { ApiError, type QueryPoints } from '@sextant/sdk';
import { IconCopy, IconHistory } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CollectionFacts } from '../../data/collections/queries.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { countText, millisecondsText } from '../../ui/figures.ts';
import { Form } from '../../ui/form.tsx';
import { ColumnChoice, useColumns } from '../../widgets/payload.tsx';
import { type Comparison, compare, examplesOf } from './compare.ts';
import { FilterForm } from './filter-form.tsx';
import { Hits } from './hits.tsx';
import { curlText, typescriptText } from './request-texts.ts';
import { MONOSPACE, SearchFields } from './search-fields.tsx';
import { EMPTY_FORM, FieldProblem, requestOf, type SearchForm, summaryOf } from './search-form.ts';
import { useHistory } from './use-history.ts';

type Found = { readonly request: QueryPoints; readonly comparison: Comparison };

/** Asks the same question twice, of the graph and exactly, and shows both answers side by side. */
export function Playground({ name, info, fields }: CollectionFacts) {
  const { vector, vectorSession } = useServices();
  const history = useHistory(name);
  const [form, setForm] = useState<SearchForm>(history.past[0]?.form ?? EMPTY_FORM);
  const [columns, setColumns] = useColumns(name);
  const change = (part: Partial<SearchForm>) => setForm((before) => ({ ...before, ...part }));
  const field = fields.find((each) => each.name === form.using) ?? fields[0];
  const search = useMutation({
    mutationFn: async (asked: SearchForm): Promise<Found> => {
      if (field === undefined) throw new FieldProblem('using', 'The collection has no such vector.');
      const collection = vector.collection(name);
      const examples = asked.by === 'examples' ? await examplesOf(collection, asked) : undefined;
      const request = requestOf(asked, field, examples);
      const comparison = await compare(collection, request, asked.isCompared);
      history.add({ form: asked, hits: comparison.approximate.hits.length, milliseconds: comparison.approximate.roundTripMs });
      return { request, comparison };
    },
  });
  if (field === undefined)
    return (
      <EmptyState title="This collection has no vector">
        A search compares vectors, but the points of this collection have only payloads.
      </EmptyState>
    );
  const problemAt = (at: keyof SearchForm) => problemOf(search.error, at);
  const isToldAtField = search.isError && FIELDS.some((at) => problemAt(at) !== undefined);
  const { comparison, request } = search.data ?? {};
  const facts = request && { url: vector.url, collection: name, request, hasCredential: vectorSession.kind !== 'open' };
  const missed = new Set(comparison?.approximate.hits.map(({ id }) => String(id)));
  return (
    <Stack gap="md">
      <Form onSubmit={() => search.mutate(form)}>
        <SearchFields fields={fields} field={field} form={form} onChange={change} problemAt={problemAt} />
        <FilterForm
          indexed={Object.keys(info.payload_schema)}
          onAdd={(clause, condition) => change({ filter: withCondition(form.filter, clause, condition) })}
        />
        <JsonInput
          label="Filter"
          description="Built by the form above; you can edit it here."
          value={form.filter}
          onChange={(filter) => change({ filter })}
          error={problemAt('filter')}
          autosize
          minRows={1}
          maxRows={12}
          styles={MONOSPACE}
        />
        <Group gap="xs">
          <Button type="submit" loading={search.isPending}>
            Search
          </Button>
          <Past past={history.past} onChoose={setForm} />
          {facts !== undefined && (
            <>
              <Copy label="Copy as curl" value={curlText(facts)} />
              <Copy label="Copy as TypeScript" value={typescriptText(facts)} />
            </>
          )}
        </Group>
      </Form>
      {search.isError && !isToldAtField && <ErrorPanel error={search.error} doing="search" />}
      {comparison !== undefined && (
        <>
          <ColumnChoice payloads={comparison.approximate.hits.map(({ payload }) => payload)} columns={columns} onChange={setColumns} />
          <SimpleGrid cols={{ base: 1, lg: comparison.exact === undefined ? 1 : 2 }} spacing="md">
            <Hits
              title={request?.params?.exact === true ? 'Exact' : 'Search'}
              answer={comparison.approximate}
              recall={comparison.recall}
              columns={columns}
            />
            {comparison.exact !== undefined && (
              <Hits title="Exact" answer={comparison.exact} columns={columns} isMissed={(id) => !missed.has(String(id))} />
            )}
          </SimpleGrid>
        </>
      )}
    </Stack>
  );
}

const FIELDS: readonly (keyof SearchForm)[] = ['id', 'text', 'model', 'numbers', 'like', 'unlike', 'filter'];

/** What this page or the service says is wrong with a field. */
function problemOf(error: unknown, at: keyof SearchForm): string | undefined {
  if (error instanceof FieldProblem) return error.field === at ? error.message : undefined;
  if (!(error instanceof ApiError) || error.field === undefined) return undefined;
  return at === 'filter' && /^filter\b/.test(error.field) ? error.message : undefined;
}

function Copy({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" leftSection={<IconCopy size={14} />} onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  );
}

type PastProps = Pick<ReturnType<typeof useHistory>, 'past'> & { readonly onChoose: (form: SearchForm) => void };

function Past({ past, onChoose }: PastProps) {
  if (past.length === 0) return null;
  return (
    <Menu position="bottom-start" width={420} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconHistory size={14} />}>
          Latest searches
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {past.map((search) => (
          <Menu.Item key={JSON.stringify(search.form)} onClick={() => onChoose(search.form)}>
            <Text size="sm" truncate>
              {summaryOf(search.form)}
            </Text>
            <Dimmed size="xs">
              {countText(search.hits)} hits in {millisecondsText(search.milliseconds)}
            </Dimmed>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The condition joins those of its clause. What is no JSON yet is left alone: the search says so. */
function withCondition(written: string, clause: string, condition: unknown): string {
  const filter = parsedFilter(written);
  if (filter === undefined) return written;
  const before = filter[clause];
  const conditions: readonly unknown[] = before === undefined ? [] : Array.isArray(before) ? before : [before];
  return JSON.stringify({ ...filter, [clause]: [...conditions, condition] }, null, 2);
}

function parsedFilter(written: string): Readonly<Record<string, unknown>> | undefined {
  if (written.trim() === '') return {};
  try {
    return JSON.parse(written) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
