import { assert, seededRandom } from '@sextant/foundation-std';
import { type Components, createVectorSpace, type Metric } from '@sextant/vector-kernel';
import { RowSet } from '@sextant/vector-storage';
import { describe, expect, test } from 'vitest';
import { MatchingRows } from '../matching-rows.ts';
import { asMean, learnGroups, meansFor } from './k-means.ts';
import { GroupTrial } from './probe-trial.ts';
import type { GroupLook, RowGroups } from './row-clusters.ts';

const COUNT = 4000;
const DIMENSION = 16;
const K = 10;

const random = seededRandom(1);
const drawn = (spread: number) => Array.from({ length: DIMENSION }, () => (random.next() - 0.5) * spread);
const centres = Array.from({ length: 60 }, () => drawn(4));
const near = (centre: readonly number[]) => Float32Array.from(drawn(2), (value, at) => value + (centre[at] ?? 0));
const floats = Array.from({ length: COUNT }, (_, row) => near(centres[row % centres.length] ?? []));
const bytes = floats.map((vector) => Uint8Array.from(vector, (value) => Math.round(128 + value * 30)));

/** Rows that match: two of three, and those that have no vector. */
const passes = (row: number) => row % 3 !== 0;
const hasVector = (row: number) => row % 10 !== 5;
const everyRow = Array.from({ length: COUNT }, (_, row) => row);
const matching = new MatchingRows(RowSet.of(everyRow.filter(passes)));

function learned(metric: Metric, vectors: readonly Components[], intact = matching.set.clone()): RowGroups {
  const source = { dimension: DIMENSION, metric, rows: matching.set.toArray(), intact };
  const steps = learnGroups({ ...source, vector: (row) => (hasVector(row) ? vectors[row] : undefined) });
  for (let turns = 0; ; turns++) {
    const step = steps.next();
    if (!step.done) continue;
    expect(turns).toBeGreaterThan(100);
    return step.value;
  }
}

function taken(look: GroupLook, limit = 100): number[] {
  const rows: number[] = [];
  for (let some = look.take(limit); some !== undefined; some = look.take(limit)) rows.push(...some);
  return rows;
}

describe.each<[Metric, readonly Components[]]>([
  ['euclid', floats],
  ['dot', floats],
  ['manhattan', floats],
  ['cosine', bytes],
])('groups of rows by %s', (metric, vectors) => {
  const groups = learned(metric, vectors);
  const datatype = metric === 'cosine' ? 'uint8' : 'float32';
  const space = createVectorSpace({ dimension: DIMENSION, metric, datatype, m: 0, efConstruct: 1, seed: 1, quantization: 'none' });
  for (const row of everyRow) if (hasVector(row)) space.put(row, vectors[row] ?? new Float32Array(), 1);
  const queryOf = (index: number) => vectors[index * 39] ?? new Float32Array();

  test('hold each row that has a vector once', () => {
    for (const limit of [1, 100, COUNT]) {
      const look = groups.look(asMean(queryOf(1), metric), matching);
      look.chooseNearest(0.1);
      const first = taken(look, limit);
      look.chooseWithin(Number.POSITIVE_INFINITY, 0);
      expect([...first, ...taken(look, limit)].toSorted((a, b) => a - b)).toEqual(everyRow.filter((row) => passes(row) && hasVector(row)));
      expect(look.share).toBe(1);
      expect(first.length).toBeLessThanOrEqual(0.1 * COUNT);
    }
  });

  test('bring nearly all of the nearest, once trials have said how far they reach, and a part of the rows alone', () => {
    const trial = new GroupTrial();
    const search = (index: number) => {
      const query = queryOf(index);
      const look = groups.look(asMean(query, metric), matching);
      look.chooseNearest(0.06);
      const nearest = space.scanRows(query, { k: K, rows: Uint32Array.from(taken(look)) });
      const truth = [...space.scanRows(query, { k: K, rows: matching.list }).rows];
      return { look, truth, first: [...nearest.rows], bound: nearest.distances.at(-1) ?? Number.NaN };
    };
    for (let index = 0; index < 40; index++) {
      const { look, truth, bound } = search(index);
      trial.note(truth, look.reachesFor(truth, bound));
    }
    let [found, share] = [0, 0];
    for (let index = 40; index < 100; index++) {
      const { look, truth, first, bound } = search(index);
      look.chooseWithin(bound, trial.reachFor(0.99));
      const rows = new Set([...first, ...taken(look)]);
      found += truth.filter((row) => rows.has(row)).length / truth.length / 60;
      share += look.share / 60;
    }
    expect(found).toBeGreaterThan(0.97);
    expect(share).toBeLessThan(0.6);
  });
});

describe('while rows change', () => {
  const all = (groups: RowGroups, rows: MatchingRows) => {
    const look = groups.look(floats[1] ?? new Float32Array(), rows);
    look.chooseNearest(0.06);
    const first = taken(look);
    look.chooseWithin(Number.POSITIVE_INFINITY, 0);
    return { first, rows: [...first, ...taken(look)].toSorted((a, b) => a - b) };
  };

  test('those that changed are looked at first, and those that match no more not at all', () => {
    const groups = learned('euclid', floats);
    const set = matching.set.clone();
    // 1 and 2 changed and match, 4 changed and does not, 3 and 6 are new.
    for (const row of [3, 6]) set.add(row);
    set.delete(4);
    groups.change([1, 2, 4]);
    const now = new MatchingRows(set);
    expect(groups.looseCount(now)).toBe(4);
    const { first, rows } = all(groups, now);
    expect(first.slice(0, 4)).toEqual([1, 2, 3, 6]);
    expect(rows).toEqual([...set].filter((row) => hasVector(row) || [1, 2, 3, 6].includes(row)));
    expect(all(groups, matching).rows).toContain(4);
  });

  test('those that changed while groups were learned are in none', () => {
    const intact = matching.set.clone();
    const groups = learned('euclid', floats, intact);
    intact.delete(7);
    expect(groups.looseCount(matching)).toBe(1);
    expect(all(groups, matching).first).toContain(7);
  });
});

test('there are no groups of few rows, nor of vectors that are too long', () => {
  expect(meansFor(15, 100)).toBe(0);
  expect(meansFor(10_000, 100)).toBe(200);
  expect(meansFor(1_000_000, 65_536)).toBe(8);
});

describe('trials', () => {
  test('say nothing before there were some, and come now and then afterwards', () => {
    const trial = new GroupTrial();
    for (let tried = 0; tried < 24; tried++) {
      expect(trial.isDue()).toBe(true);
      trial.note([tried], [1, 2, 3, 40]);
    }
    const due = Array.from({ length: 1280 }, () => trial.isDue()).filter(Boolean);
    expect(due).toHaveLength(10);
    expect(trial.reachFor(0.5)).toBe(2);
    expect(trial.reachFor(0.75)).toBe(3);
    expect(trial.reachFor(0.76)).toBe(Number.POSITIVE_INFINITY);
  });

  test('count the same query once, and end where there is no other', () => {
    const trial = new GroupTrial();
    let tried = 0;
    while (trial.isDue()) {
      trial.note([5], [tried++ === 0 ? 1 : 9]);
      assert(tried < 1000, 'trials end');
    }
    expect(trial.reachFor(1)).toBe(1);
  });

  test('follow what is asked', () => {
    const trial = new GroupTrial();
    for (let tried = 0; tried < 256; tried++) trial.note([tried], [1]);
    for (let tried = 0; tried < 2000; tried++) trial.note([1000 + tried], [5]);
    expect(trial.reachFor(0.5)).toBe(5);
  });
});
