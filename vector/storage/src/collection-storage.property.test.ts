// SPDX-License-Identifier: Apache-2.0
import type { PointId } from '@sextant/contracts-vector';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCollectionStorage, openCollectionReader, openCollectionStorage } from './collection-storage.ts';
import { comparePointIds } from './point-id.ts';
import type { StorageReader, StorageTransaction, StoredPoint, WrittenVectors } from './storage.ts';

type Change =
  | {
      readonly kind: 'putPoint';
      readonly row: number;
      readonly id: PointId;
      readonly payload: string;
      readonly vectors: WrittenVectors | undefined;
    }
  | { readonly kind: 'deletePoint'; readonly row: number }
  | { readonly kind: 'putVector'; readonly space: number; readonly row: number; readonly values: readonly number[] }
  | { readonly kind: 'deleteVector'; readonly space: number; readonly row: number }
  | { readonly kind: 'addPosting' | 'removePosting'; readonly key: string; readonly row: number }
  | { readonly kind: 'clearPostings'; readonly start: string; readonly end: string }
  | { readonly kind: 'putDocument'; readonly name: string; readonly value: bigint };

type Transaction = { readonly changes: readonly Change[]; readonly fails: boolean; readonly reopens: boolean };

const row = fc.constantFrom(0, 1, 2, 65_535, 65_536, 70_000, 200_000);
const space = fc.constantFrom(0, 1, 65_535);
const id = fc.constantFrom<PointId>(
  0,
  1,
  2 ** 53 - 1,
  2n ** 64n - 1n,
  '00000000-0000-4000-8000-000000000000',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
);
const KEYS = ['', '\0', '\0\xff', 'a', 'a\0', 'a\0\0', 'a\x01', 'a\xff', 'ab', 'b', '\xff\xff'];
const key = fc.constantFrom(...KEYS);
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('putPoint' as const),
      row,
      id,
      payload: fc.string({ unit: 'grapheme' }),
      vectors: fc.option(fc.record({ dense: fc.array(space, { maxLength: 3 }), sparse: fc.array(space, { maxLength: 3 }) }), {
        nil: undefined,
      }),
    }),
  },
  fc.record({ kind: fc.constant('deletePoint' as const), row }),
  fc.record({ kind: fc.constant('putVector' as const), space, row, values: fc.array(fc.float(), { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('deleteVector' as const), space, row }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('addPosting' as const, 'removePosting' as const), key, row }) },
  fc.record({ kind: fc.constant('clearPostings' as const), start: key, end: key }),
  fc.record({
    kind: fc.constant('putDocument' as const),
    name: fc.constantFrom('a', 'ab', 'ä'),
    value: fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
  }),
);
const transactions: fc.Arbitrary<Transaction[]> = fc.array(
  fc.record({
    changes: fc.array(change, { maxLength: 25 }),
    fails: fc.nat(4).map((die) => die === 0),
    reopens: fc.nat(4).map((die) => die === 0),
  }),
  { minLength: 1, maxLength: 8 },
);

/** The plainest thing that keeps the same promises. */
class Model {
  readonly points = new Map<number, StoredPoint>();
  readonly vectors = new Map<string, { space: number; row: number; version: number; vector: Float32Array }>();
  readonly postings = new Map<string, Set<number>>();
  readonly documents = new Map<string, unknown>();
  /** For each row that ever had a vector, the last operation that put or deleted one. */
  readonly changes = new Map<number, number>();
  sequence = 0;

  clone(): Model {
    const copy = new Model();
    for (const [row, point] of this.points) copy.points.set(row, point);
    for (const [name, vector] of this.vectors) copy.vectors.set(name, vector);
    for (const [name, rows] of this.postings) copy.postings.set(name, new Set(rows));
    for (const [name, value] of this.documents) copy.documents.set(name, value);
    for (const [row, sequence] of this.changes) copy.changes.set(row, sequence);
    copy.sequence = this.sequence;
    return copy;
  }

  apply(step: Change): void {
    switch (step.kind) {
      case 'putPoint':
        for (const [other, point] of this.points) if (point.id === step.id) this.points.delete(other);
        this.points.set(step.row, pointOf(step, this.sequence));
        return;
      case 'deletePoint':
        this.points.delete(step.row);
        return;
      case 'putVector':
        this.changes.set(step.row, this.sequence);
        this.vectors.set(`${step.space}/${step.row}`, { ...step, version: this.sequence, vector: Float32Array.from(step.values) });
        return;
      case 'deleteVector':
        this.changes.set(step.row, this.sequence);
        this.vectors.delete(`${step.space}/${step.row}`);
        return;
      case 'addPosting':
        this.postings.set(step.key, (this.postings.get(step.key) ?? new Set()).add(step.row));
        return;
      case 'removePosting':
        this.postings.get(step.key)?.delete(step.row);
        if (this.postings.get(step.key)?.size === 0) this.postings.delete(step.key);
        return;
      case 'clearPostings':
        for (const name of this.keysWithin(step.start, step.end)) this.postings.delete(name);
        return;
      case 'putDocument':
        this.documents.set(step.name, step.value);
        return;
    }
  }

  keysWithin(start: string, end: string): string[] {
    return [...this.postings.keys()].filter((name) => start <= name && name < end).sort();
  }
}

function pointOf({ id, payload, vectors }: Extract<Change, { kind: 'putPoint' }>, sequence: number): StoredPoint {
  const point = { id, version: sequence, vectorVersion: sequence, payload };
  return vectors === undefined ? point : { ...point, vectors };
}

const bytes = (text: string) => Buffer.from(text, 'latin1');
const text = (key: Uint8Array) => Buffer.from(key).toString('latin1');

function apply(transaction: StorageTransaction, sequence: number, step: Change): void {
  switch (step.kind) {
    case 'putPoint':
      transaction.putPoint(step.row, pointOf(step, sequence));
      return;
    case 'deletePoint':
      transaction.deletePoint(step.row);
      return;
    case 'putVector':
      transaction.putVector(step.space, step.row, sequence, Float32Array.from(step.values));
      return;
    case 'deleteVector':
      transaction.deleteVector(step.space, step.row);
      return;
    case 'addPosting':
      transaction.addPosting(bytes(step.key), step.row);
      return;
    case 'removePosting':
      transaction.removePosting(bytes(step.key), step.row);
      return;
    case 'clearPostings':
      transaction.clearPostings({ start: bytes(step.start), end: bytes(step.end) });
      return;
    case 'putDocument':
      transaction.putDocument(step.name, step.value);
      return;
  }
}

type Reads = Omit<StorageReader, 'refresh' | 'close'>;

function expectSame(actual: Reads, model: Model): void {
  const points = [...model.points].sort(([left], [right]) => left - right);
  expect(actual.sequence).toBe(model.sequence);
  expect(actual.pointCount).toBe(points.length);
  expect([...actual.rows()]).toEqual(points.map(([row]) => row));
  expect(actual.points({ fromRow: 0, limit: 100 })).toEqual(points.map(([row, point]) => ({ row, point })));
  expect(actual.points({ fromRow: 2, limit: 1 })).toEqual(
    points
      .filter(([row]) => row >= 2)
      .map(([row, point]) => ({ row, point }))
      .slice(0, 1),
  );
  const ids = points.map(([row, { id }]) => ({ id, row })).sort((left, right) => comparePointIds(left.id, right.id));
  expect(actual.ids({ limit: 100 })).toEqual(ids);
  expect(actual.ids({ from: 1, limit: 2 })).toEqual(ids.filter(({ id }) => comparePointIds(id, 1) >= 0).slice(0, 2));
  for (const [row, point] of points) {
    expect(actual.rowOf(point.id)).toBe(row);
    expect(actual.point(row)).toEqual(point);
  }
  for (const [name, value] of model.documents) expect(actual.document(name)).toBe(value);
  expectSameVectors(actual, model);
  expectSamePostings(actual, model);
}

function expectSameVectors(actual: Reads, model: Model): void {
  for (const space of [0, 1, 2, 65_535]) {
    const expected = [...model.vectors.values()].filter((stored) => stored.space === space).sort((left, right) => left.row - right.row);
    const found = [...actual.vectors(space)].map(({ row, version }) => ({ row, version, vector: actual.vector(space, row) }));
    expect(found).toEqual(expected.map(({ row, version, vector }) => ({ row, version, vector })));
    expect([0, 1, 70_000].map((row) => actual.hasVector(space, row))).toEqual(
      [0, 1, 70_000].map((row) => expected.some((stored) => stored.row === row)),
    );
  }
}

/** Only at the end of a transaction are its changes known. */
function expectSameChanges(actual: Reads, model: Model): void {
  for (let since = 0; since <= model.sequence; since++) {
    const ranges = [...actual.rowsChangedSince(since)];
    const isNamed = (row: number) => ranges.some(({ fromRow, toRow }) => fromRow <= row && row < toRow);
    const changed = [...model.changes].filter(([, sequence]) => sequence > since).map(([row]) => row);
    expect(changed.filter((row) => !isNamed(row))).toEqual([]);
    const near = new Set(changed.map((row) => Math.floor(row / 256)));
    expect([...model.changes.keys()].filter((row) => isNamed(row) && !near.has(Math.floor(row / 256)))).toEqual([]);
    for (const rows of ranges) {
      expect([...actual.vectors(0, rows)].map(({ row }) => row)).toEqual(
        [...actual.vectors(0)].map(({ row }) => row).filter((row) => rows.fromRow <= row && row < rows.toRow),
      );
    }
  }
}

function expectSamePostings(actual: Reads, model: Model): void {
  const rowsOf = (name: string) => [...(model.postings.get(name) ?? [])].sort((left, right) => left - right);
  for (const name of KEYS) expect([...actual.posting(bytes(name))]).toEqual(rowsOf(name));
  for (const [from, to] of [
    ['', '\xff\xff\xff'],
    ['a', 'b'],
    ['a', 'ab'],
    ['a\0', 'a\0'],
    ['b', 'a'],
    ['\0', 'a\0\0'],
  ] as const) {
    const range = { start: bytes(from), end: bytes(to) };
    const names = model.keysWithin(from, to);
    const lists = names.map((name) => ({ name, rows: rowsOf(name) }));
    const read = (reverse: boolean) =>
      [...actual.postings({ ...range, reverse })].map(({ key, rows }) => ({ name: text(key), rows: [...rows] }));
    expect(read(false)).toEqual(lists);
    expect(read(true)).toEqual(lists.toReversed());
    const within = actual.rows();
    expect([...actual.countPostings(range)].map(({ key, count }) => [text(key), count])).toEqual(
      lists.map(({ name, rows }) => [name, rows.length]),
    );
    expect([...actual.countPostings({ ...range, within })].map(({ count }) => count)).toEqual(
      lists.map(({ rows }) => rows.filter((row) => within.has(row)).length),
    );
    const union = [...new Set(lists.flatMap(({ rows }) => rows))].sort((left, right) => left - right);
    expect([...(actual.unionPostings({ ...range, listsMax: names.length }) ?? [])]).toEqual(union);
    if (names.length > 0) expect(actual.unionPostings({ ...range, listsMax: names.length - 1 })).toBeUndefined();
  }
}

test('[S2] [S3] [S4] [S5] [S6] [S7] [S8] [S9] [S17] any transactions leave what they would leave in Maps, inside, outside, in a reader and after a restart', async () => {
  await fc.assert(
    fc.asyncProperty(transactions, async (script) => {
      await using scratch = await temporaryDirectory();
      const location = { directory: `${scratch.path}/collection` };
      let storage = createCollectionStorage(location);
      let reader = openCollectionReader(location);
      let model = new Model();
      for (const { changes, fails, reopens } of script) {
        const next = model.clone();
        const write = () =>
          storage.write((transaction) => {
            const sequence = transaction.nextSequence();
            next.sequence += 1;
            for (const step of changes) {
              apply(transaction, sequence, step);
              next.apply(step);
            }
            expectSame(transaction, next);
            if (fails) throw new TypeError('the body fails');
          });
        if (fails) expect(write).toThrow(new TypeError('the body fails'));
        else write();
        if (!fails) model = next;
        expectSame(storage, model);
        expectSameChanges(storage, model);
        reader.refresh();
        expectSame(reader, model);
        expectSameChanges(reader, model);
        if (!reopens) continue;
        reader.close();
        storage.close();
        storage = openCollectionStorage(location);
        reader = openCollectionReader(location);
        expectSame(reader, model);
      }
      reader.close();
      storage.close();
    }),
    { numRuns: roundsOf({ quick: 20, long: 600 }) },
  );
});
