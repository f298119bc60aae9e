import { RowSet } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { MatchingRows } from '../matching-rows.ts';
import { FilterGroups, type GroupSearch, type Learning, SpaceGroups } from './filter-clusters.ts';
import { learnGroups } from './k-means.ts';
import type { RowGroups } from './row-clusters.ts';

const COUNT = 2000;
const DIMENSION = 4;
const matching = new MatchingRows(RowSet.of(Array.from({ length: COUNT }, (_, row) => row)));
const bytes = { vector: 16, code: 16 };
const search: GroupSearch = { matching, dimension: DIMENSION, bytes, count: 10, ef: 128 };
const SWEEP = 1e6;

function learned(): RowGroups {
  const vector = (row: number) => Float32Array.of(row % 7, row % 11, row % 13, row % 17);
  const source = { dimension: DIMENSION, metric: 'euclid' as const, rows: matching.set.toArray(), intact: matching.set.clone() };
  const steps = learnGroups({ ...source, vector });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const learning: Learning = { changed: () => {} };

function withGroups(): SpaceGroups {
  const groups = new SpaceGroups();
  groups.begin(learning);
  groups.end(learning, learned());
  return groups;
}

function tryOnce(groups: SpaceGroups, row: number): void {
  const look = groups.learned?.look(Float32Array.of(row, 1, 1, 1), matching);
  if (look === undefined) throw new Error('there are groups');
  look.chooseNearest(0.06);
  groups.note([row], { groups: look, bound: 1, count: 10, ef: 128 });
}

test('learning begins when as much was spent as it costs, once', () => {
  const groups = new SpaceGroups();
  let spent = 0;
  while (!groups.spend(100, search).isTime) spent += 100;
  // A row costs some microseconds.
  expect(spent).toBeGreaterThan(2 * COUNT);
  expect(spent).toBeLessThan(20 * COUNT);
  groups.begin(learning);
  expect(groups.spend(1e9, search).isTime).toBe(false);
});

test('few rows are never grouped', () => {
  const few = { ...search, matching: new MatchingRows(RowSet.of([1, 2, 3])) };
  expect(new SpaceGroups().spend(1e9, few).isTime).toBe(false);
});

test('groups are tried before they serve, and serve where they cost less', () => {
  const groups = withGroups();
  for (let row = 0; row < 24; row++) {
    expect(groups.advise(search, SWEEP)).toEqual({ kind: 'try' });
    tryOnce(groups, row);
  }
  expect(groups.advise(search, SWEEP)).toMatchObject({ kind: 'use' });
  expect(groups.advise(search, 1)).toEqual({ kind: 'none' });
  // Searches for many more rows are tried by themselves.
  expect(groups.advise({ ...search, count: 1000 }, SWEEP)).toEqual({ kind: 'try' });
});

test('a wider beam asks groups for more', () => {
  const groups = withGroups();
  for (let row = 0; row < 24; row++) {
    groups.advise(search, SWEEP);
    const trial = groups.trial(10);
    trial.note([row], [...Array.from({ length: 98 }, () => 1), 2, 3]);
    trial.noteShare(0.1);
  }
  expect(groups.advise({ ...search, ef: 100 }, SWEEP)).toMatchObject({ reach: 1 });
  expect(groups.advise({ ...search, ef: 256 }, SWEEP)).toMatchObject({ reach: 2 });
  expect(groups.advise({ ...search, ef: 1024 }, SWEEP)).toMatchObject({ reach: 3 });
});

test('groups are given up when many rows have changed', () => {
  const groups = withGroups();
  groups.change(new Set(Array.from({ length: COUNT / 16 }, (_, row) => row)));
  expect(groups.advise(search, SWEEP)).toEqual({ kind: 'try' });
  groups.change(new Set(Array.from({ length: COUNT / 4 }, (_, row) => row)));
  expect(groups.advise(search, SWEEP)).toEqual({ kind: 'none' });
  expect([groups.learned, groups.bytes]).toEqual([undefined, 0]);
});

test('groups that were given up while they were learned are not taken', () => {
  const groups = new SpaceGroups();
  groups.begin(learning);
  groups.drop();
  expect(groups.awaits(learning)).toBe(false);
  groups.end(learning, learned());
  expect(groups.learned).toBeUndefined();
});

test('a filter has groups for a few vectors, and their bytes are counted', () => {
  const filter = new FilterGroups();
  const [first, again] = [filter.of(0), filter.of(0)];
  expect(first).toBe(again);
  first?.begin(learning);
  first?.end(learning, learned());
  expect(filter.bytes).toBeGreaterThan(4 * COUNT);
  for (let ordinal = 1; ordinal < 4; ordinal++) expect(filter.of(ordinal)).toBeDefined();
  expect(filter.of(4)).toBeUndefined();
  filter.drop();
  expect(filter.bytes).toBe(0);
});
