// SPDX-License-Identifier: Apache-2.0
/** Facets, order and point counts of an index against counting by hand. */
import type { FieldSchema, Payload } from '@sextant/contracts-vector';
import { stringifyJson } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { createCollectionStorage, RowSet, type StorageWriter } from '@sextant/vector-storage';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DATES, payload } from '../filter/filter-arbitraries.ts';
import { postingKeysOf, postingRangeOf } from './entries.ts';
import { facet, indexedPointCount } from './facet.ts';
import { orderedRows } from './ordered-rows.ts';
import { type FieldIndex, normaliseFieldSchema } from './schema.ts';

type Value = string | number | bigint | boolean;

let storage: StorageWriter;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  storage = createCollectionStorage({ directory: directory.path });
});
afterAll(async () => {
  storage.close();
  await directory[Symbol.asyncDispose]();
});

const payloads = fc.array(payload, { minLength: 1, maxLength: 12 });

function store(index: FieldIndex, points: readonly Payload[]): void {
  storage.write((transaction) => {
    for (const row of transaction.rows()) transaction.deletePoint(row);
    transaction.clearPostings(postingRangeOf(index.ordinal));
    for (const [row, stored] of points.entries()) {
      transaction.putPoint(row, { id: row, version: 1, vectorVersion: 1, payload: stringifyJson(stored) });
      for (const key of postingKeysOf(new Map([[index.field, index]]), stored)) transaction.addPosting(key, row);
    }
  });
  storage.refresh();
}

/** The distinct values of `a` in a payload that an index of this type counts. */
function valuesOf(type: FieldSchema['type'], stored: Payload): readonly Value[] {
  const elements: readonly unknown[] = Array.isArray(stored.a) ? stored.a : [stored.a];
  const isInteger = (value: unknown) => typeof value === 'bigint' || Number.isInteger(value);
  const found = elements.flatMap((value): Value[] => {
    switch (type) {
      case 'keyword':
        return typeof value === 'string' ? [value] : [];
      case 'bool':
        return typeof value === 'boolean' ? [value] : [];
      case 'uuid':
        return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? [value.toLowerCase()] : [];
      case 'integer': {
        const exact = isInteger(value) ? BigInt(value as number) : undefined;
        return exact !== undefined && exact >= -(2n ** 63n) && exact < 2n ** 64n ? [exact] : [];
      }
      case 'float':
        return typeof value === 'number' || typeof value === 'bigint' ? [isInteger(value) ? BigInt(value) : value] : [];
      case 'datetime':
        return typeof value === 'string' && Object.hasOwn(DATES, value) ? [DATES[value] ?? 0n] : [];
      default:
        return [];
    }
  });
  return [...new Set(found)];
}

const exact = (value: Value): Value => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);
const byValue = (a: Value, b: Value) =>
  typeof a === 'string' && typeof b === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : Number(a > b) - Number(a < b);
const indexOf = (schema: FieldSchema): FieldIndex => ({ field: 'a', ordinal: 3, schema: normaliseFieldSchema(schema) });

describe.each(['keyword', 'integer', 'bool', 'uuid'] as const)('the facet of a %s index', (type) => {
  test('counts the points that have each value', () => {
    const index = indexOf({ type });
    fc.assert(
      fc.property(payloads, fc.option(fc.uniqueArray(fc.nat(11))), fc.integer({ min: 1, max: 5 }), (points, rows, limit) => {
        store(index, points);
        const counts = new Map<Value, number>();
        for (const [row, stored] of points.entries()) {
          if (rows !== null && !rows.includes(row)) continue;
          for (const value of valuesOf(type, stored)) counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        const expected = [...counts].sort(([a, x], [b, y]) => y - x || byValue(a, b));
        const hits = facet(index, storage, { limit: 1000, ...(rows === null ? {} : { rows: RowSet.of(rows) }) });
        // Long strings are ordered by their start and then a hash, so order is only held where it is promised.
        const short = (value: Value) => typeof value !== 'string' || (value.length < 448 && value.isWellFormed());
        expect(new Map(hits.map(({ value, count }) => [exact(value), count]))).toEqual(counts);
        expect(hits.map(({ value }) => exact(value)).filter(short)).toEqual(expected.map(([value]) => value).filter(short));
        expect(facet(index, storage, { limit, ...(rows === null ? {} : { rows: RowSet.of(rows) }) })).toEqual(hits.slice(0, limit));
      }),
      { numRuns: roundsOf({ quick: 50, long: 1500 }) },
    );
  });
});

describe.each(['integer', 'float', 'datetime'] as const)('the order of a %s index', (type) => {
  test('gives each value of each point once, from any start, in both directions', () => {
    const index = indexOf({ type });
    fc.assert(
      fc.property(payloads, fc.constantFrom('asc' as const, 'desc' as const), fc.nat(20), (points, direction, startAt) => {
        store(index, points);
        const reachable = (value: Value) => typeof value !== 'bigint' || (value < 2n ** 116n && value > -(2n ** 116n));
        const all = points.flatMap((stored, row) =>
          valuesOf(type, stored)
            .filter(reachable)
            .map((value) => ({ value, row })),
        );
        const up = all.sort((a, b) => byValue(a.value, b.value) * (direction === 'asc' ? 1 : -1) || a.row - b.row);
        const start = up[startAt]?.value;
        const expected = start === undefined ? up : up.filter(({ value }) => byValue(value, start) * (direction === 'asc' ? 1 : -1) >= 0);
        const order = { key: 'a', direction, ...(typeof start === 'bigint' || typeof start === 'number' ? { start_from: start } : {}) };
        const rows = [...orderedRows(index, order, storage, 'books')].flatMap(({ value, rows: of }) =>
          Array.from(of, (row) => ({ value: exact(value), row })),
        );
        expect(rows.filter(({ value }) => reachable(value))).toEqual(expected);
      }),
      { numRuns: roundsOf({ quick: 50, long: 1500 }) },
    );
  });
});

test('an index counts the points that have a value of its type', () => {
  fc.assert(
    fc.property(payloads, fc.constantFrom('keyword', 'integer', 'float', 'bool', 'uuid', 'datetime'), (points, type) => {
      store(indexOf({ type }), points);
      expect(indexedPointCount(indexOf({ type }), storage)).toBe(points.filter((stored) => valuesOf(type, stored).length > 0).length);
    }),
    { numRuns: roundsOf({ quick: 50, long: 1500 }) },
  );
});

describe('what an index cannot do is refused', () => {
  test.each<FieldSchema>([{ type: 'float' }, { type: 'datetime' }, { type: 'geo' }, { type: 'text' }, { type: 'integer', lookup: false }])(
    'facet of %j',
    (schema) => {
      expect(() => facet(indexOf(schema), storage, { limit: 1 })).toThrow(
        'Index required but not found for "a" of one of the following types: [keyword, integer, bool, uuid]',
      );
    },
  );

  test.each<FieldSchema>([
    { type: 'keyword' },
    { type: 'uuid' },
    { type: 'bool' },
    { type: 'geo' },
    { type: 'text' },
    { type: 'integer', range: false },
  ])('order_by of %j', (schema) => {
    expect(() => [...orderedRows(indexOf(schema), { key: 'a' }, storage, 'books')]).toThrow(
      'No range index for `order_by` key: `a`. Create an integer, float or datetime index on it in the collection `books`.',
    );
  });

  test.each<[FieldSchema, string | number, string]>([
    [{ type: 'integer' }, '2024-01-01', 'order_by.start_from: expected a number, got "2024-01-01"'],
    [{ type: 'float' }, Number.NaN, 'order_by.start_from: expected a number'],
    [
      { type: 'datetime' },
      '2024-13-01',
      'order_by.start_from: expected an RFC 3339 date or microseconds since the epoch, got "2024-13-01"',
    ],
  ])('%j from %s', (schema, startFrom, message) => {
    expect(() => [...orderedRows(indexOf(schema), { key: 'a', start_from: startFrom }, storage, 'books')]).toThrow(message);
  });
});
