// SPDX-License-Identifier: Apache-2.0
import type { FieldSchema, Filter, Payload, PointId } from '@sextant/contracts-vector';
import { stringifyJson } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { createCollectionStorage, RowSet, type StorageWriter } from '@sextant/vector-storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileFilter } from '../filter/compile.ts';
import { filter, PATHS, payload } from '../filter/filter-arbitraries.ts';
import { postingKeysOf, postingRangeOf } from './entries.ts';
import { planFilter } from './plan.ts';
import { type FieldIndex, normaliseFieldSchema } from './schema.ts';

const RUNS = roundsOf({ quick: 100, long: 6000 });

const SCHEMAS: readonly FieldSchema[] = [
  { type: 'keyword' },
  { type: 'integer' },
  { type: 'float' },
  { type: 'bool' },
  { type: 'datetime' },
  { type: 'uuid' },
  { type: 'geo' },
  { type: 'text' },
  { type: 'text', tokenizer: 'prefix', max_token_len: 3 },
  { type: 'text', tokenizer: 'whitespace', lowercase: false },
];

const schema = fc.oneof(
  fc.constantFrom(...SCHEMAS),
  fc.constantFrom<FieldSchema>({ type: 'keyword' }, { type: 'integer' }, { type: 'text' }),
);
/** The fields that most filters ask for are mostly indexed. */
const indexedFields = fc
  .tuple(
    fc.record({ a: schema, b: schema, 'a[].b': schema }, { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom(...Object.keys(PATHS)), schema, { maxKeys: 4 }),
  )
  .map(([common, others]) => ({ ...others, ...common }));
const writes = fc.array(fc.record({ row: fc.nat(15), payload: fc.option(payload, { freq: 4 }) }), { minLength: 5, maxLength: 30 });

test('a plan selects the rows that evaluation selects, after any updates and deletes', async () => {
  await using directory = await temporaryDirectory();
  const storage = createCollectionStorage({ directory: directory.path });
  const seen = { exact: 0, superset: 0, none: 0, matches: 0 };
  fc.assert(
    fc.property(indexedFields, writes, fc.array(filter, { minLength: 30, maxLength: 40 }), (fields, changes, filters) => {
      const indexes = indexesOf(fields);
      const points = applyAll(storage, indexes, changes);
      for (const generated of filters) checkPlan({ generated, indexes, points, storage, seen });
    }),
    { numRuns: RUNS },
  );
  storage.close();
  expect(seen.exact, 'exact plans').toBeGreaterThan(RUNS / 6);
  expect(seen.superset, 'supersets').toBeGreaterThan(RUNS / 6);
  expect(seen.matches, 'matching rows').toBeGreaterThan(RUNS * 0.8);
});

function indexesOf(fields: { readonly [field: string]: FieldSchema }): ReadonlyMap<string, FieldIndex> {
  return new Map(
    Object.entries(fields).map(([field, schema], ordinal) => [
      field,
      { field, ordinal: ordinal * 100, schema: normaliseFieldSchema(schema) },
    ]),
  );
}

/** Empties the storage, applies the changes as the write path does, and answers what is left. */
function applyAll(
  storage: StorageWriter,
  indexes: ReadonlyMap<string, FieldIndex>,
  changes: readonly { readonly row: number; readonly payload: Payload | null }[],
): ReadonlyMap<number, Payload> {
  const points = new Map<number, Payload>();
  storage.write((transaction) => {
    for (const row of transaction.rows()) transaction.deletePoint(row);
    transaction.clearPostings({ start: postingRangeOf(0).start, end: postingRangeOf(70_000).end });
    for (const change of changes) {
      for (const key of postingKeysOf(indexes, points.get(change.row) ?? {})) transaction.removePosting(key, change.row);
      if (points.has(change.row)) transaction.deletePoint(change.row);
      points.delete(change.row);
      if (change.payload === null) continue;
      points.set(change.row, change.payload);
      transaction.putPoint(change.row, { id: idOf(change.row), version: 1, vectorVersion: 1, payload: stringifyJson(change.payload) });
      for (const key of postingKeysOf(indexes, change.payload)) transaction.addPosting(key, change.row);
    }
  });
  storage.refresh();
  return points;
}

function idOf(row: number): PointId {
  return row * 2;
}

type Check = {
  readonly generated: Filter;
  readonly indexes: ReadonlyMap<string, FieldIndex>;
  readonly points: ReadonlyMap<number, Payload>;
  readonly storage: StorageWriter;
  readonly seen: { exact: number; superset: number; none: number; matches: number };
};

function checkPlan({ generated, indexes, points, storage, seen }: Check): void {
  const compiled = compileFilter(generated, (field) => indexes.get(field)?.schema);
  const matching = [...points]
    .filter(([row, stored]) => compiled.matches({ id: idOf(row), payload: stored, hasVector: () => false }))
    .map(([row]) => row);
  const expected = RowSet.of(matching).toArray();
  const plan = planFilter(compiled, indexes, storage);
  seen.matches += expected.length;
  if (plan === undefined) {
    seen.none++;
    return;
  }
  if (plan.exact) {
    seen.exact++;
    expect(plan.rows.toArray()).toEqual(expected);
    return;
  }
  seen.superset++;
  expect(RowSet.of(matching).subtract(plan.rows).toArray(), 'rows that the plan lost').toEqual(new Uint32Array());
  expect(
    [...plan.rows].filter((row) => !points.has(row)),
    'rows without a point',
  ).toEqual([]);
}
