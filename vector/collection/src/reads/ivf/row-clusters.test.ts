// SPDX-License-Identifier: Apache-2.0
import { assert, seededRandom } from '@sextant/foundation-std';
import { type Components, createVectorSpace, type Metric } from '@sextant/vector-kernel';
import { RowSet } from '@sextant/vector-storage';
import { describe, expect, test } from 'vitest';
import { MatchingRows } from '../matching-rows.ts';
import { asCentroid, centroidCountFor, trainClusters } from './k-means.ts';
import { ProbeTrial } from './probe-trial.ts';
import type { ClusterProbe, RowClusters } from './row-clusters.ts';

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

function trained(metric: Metric, vectors: readonly Components[], intact = matching.set.clone()): RowClusters {
  const source = { dimension: DIMENSION, metric, rows: matching.set.toArray(), intact };
  const steps = trainClusters({ ...source, vector: (row) => (hasVector(row) ? vectors[row] : undefined) });
  for (let turns = 0; ; turns++) {
    const step = steps.next();
    if (!step.done) continue;
    expect(turns).toBeGreaterThan(100);
    return step.value;
  }
}

function taken(probe: ClusterProbe, limit = 100): number[] {
  const rows: number[] = [];
  for (let some = probe.take(limit); some !== undefined; some = probe.take(limit)) rows.push(...some);
  return rows;
}

describe.each<[Metric, readonly Components[]]>([
  ['euclid', floats],
  ['dot', floats],
  ['manhattan', floats],
  ['cosine', bytes],
])('clusters of rows by %s', (metric, vectors) => {
  const clusters = trained(metric, vectors);
  const datatype = metric === 'cosine' ? 'uint8' : 'float32';
  const space = createVectorSpace({ dimension: DIMENSION, metric, datatype, m: 0, efConstruct: 1, seed: 1, quantization: 'none' });
  for (const row of everyRow) if (hasVector(row)) space.put(row, vectors[row] ?? new Float32Array(), 1);
  const queryOf = (index: number) => vectors[index * 39] ?? new Float32Array();

  test('hold each row that has a vector once', () => {
    for (const limit of [1, 100, COUNT]) {
      const probe = clusters.probe(asCentroid(queryOf(1), metric), matching);
      probe.chooseNearest(0.1);
      const first = taken(probe, limit);
      probe.chooseWithin(Number.POSITIVE_INFINITY, 0);
      expect([...first, ...taken(probe, limit)].toSorted((a, b) => a - b)).toEqual(everyRow.filter((row) => passes(row) && hasVector(row)));
      expect(probe.share).toBe(1);
      expect(first.length).toBeLessThanOrEqual(0.1 * COUNT);
    }
  });

  test('bring nearly all of the nearest, once trials have said the probe bound, by a part of the rows alone', () => {
    const trial = new ProbeTrial();
    const search = (index: number) => {
      const query = queryOf(index);
      const probe = clusters.probe(asCentroid(query, metric), matching);
      probe.chooseNearest(0.06);
      const nearest = space.scanRows(query, { k: K, rows: Uint32Array.from(taken(probe)) });
      const truth = [...space.scanRows(query, { k: K, rows: matching.list }).rows];
      return { probe, truth, first: [...nearest.rows], maxDistance: nearest.distances.at(-1) ?? Number.NaN };
    };
    for (let index = 0; index < 40; index++) {
      const { probe, truth, maxDistance } = search(index);
      trial.note(truth, probe.probeBoundsFor(truth, maxDistance));
    }
    let [found, share] = [0, 0];
    for (let index = 40; index < 100; index++) {
      const { probe, truth, first, maxDistance } = search(index);
      probe.chooseWithin(maxDistance, trial.probeBoundFor(0.99));
      const rows = new Set([...first, ...taken(probe)]);
      found += truth.filter((row) => rows.has(row)).length / truth.length / 60;
      share += probe.share / 60;
    }
    expect(found).toBeGreaterThan(0.97);
    expect(share).toBeLessThan(0.6);
  });
});

describe('while rows change', () => {
  const all = (clusters: RowClusters, rows: MatchingRows) => {
    const probe = clusters.probe(floats[1] ?? new Float32Array(), rows);
    probe.chooseNearest(0.06);
    const first = taken(probe);
    probe.chooseWithin(Number.POSITIVE_INFINITY, 0);
    return { first, rows: [...first, ...taken(probe)].toSorted((a, b) => a - b) };
  };

  test('those that changed come first, and those that match no more not at all', () => {
    const clusters = trained('euclid', floats);
    const set = matching.set.clone();
    // 1 and 2 changed and match, 4 changed and does not, 3 and 6 are new.
    for (const row of [3, 6]) set.add(row);
    set.delete(4);
    clusters.change([1, 2, 4]);
    const now = new MatchingRows(set);
    expect(clusters.unassignedCount(now)).toBe(4);
    const { first, rows } = all(clusters, now);
    expect(first.slice(0, 4)).toEqual([1, 2, 3, 6]);
    expect(rows).toEqual([...set].filter((row) => hasVector(row) || [1, 2, 3, 6].includes(row)));
    expect(all(clusters, matching).rows).toContain(4);
  });

  test('those that changed while clusters were trained are in none', () => {
    const intact = matching.set.clone();
    const clusters = trained('euclid', floats, intact);
    intact.delete(7);
    expect(clusters.unassignedCount(matching)).toBe(1);
    expect(all(clusters, matching).first).toContain(7);
  });
});

test('few rows, and vectors that are too long, get no clusters', () => {
  expect(centroidCountFor(15, 100)).toBe(0);
  expect(centroidCountFor(10_000, 100)).toBe(200);
  expect(centroidCountFor(1_000_000, 65_536)).toBe(8);
});

describe('trials', () => {
  test('say nothing before there were some, and come now and then afterwards', () => {
    const trial = new ProbeTrial();
    for (let tried = 0; tried < 24; tried++) {
      expect(trial.isDue()).toBe(true);
      trial.note([tried], [1, 2, 3, 40]);
    }
    const due = Array.from({ length: 1280 }, () => trial.isDue()).filter(Boolean);
    expect(due).toHaveLength(10);
    expect(trial.probeBoundFor(0.5)).toBe(2);
    expect(trial.probeBoundFor(0.75)).toBe(3);
    expect(trial.probeBoundFor(0.76)).toBe(Number.POSITIVE_INFINITY);
  });

  test('count the same query once, and end where there is no other', () => {
    const trial = new ProbeTrial();
    let tried = 0;
    while (trial.isDue()) {
      trial.note([5], [tried++ === 0 ? 1 : 9]);
      assert(tried < 1000, 'trials end');
    }
    expect(trial.probeBoundFor(1)).toBe(1);
  });

  test('follow what is asked', () => {
    const trial = new ProbeTrial();
    for (let tried = 0; tried < 256; tried++) trial.note([tried], [1]);
    for (let tried = 0; tried < 2000; tried++) trial.note([1000 + tried], [5]);
    expect(trial.probeBoundFor(0.5)).toBe(5);
  });
});
