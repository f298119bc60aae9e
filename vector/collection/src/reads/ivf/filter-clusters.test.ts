// SPDX-License-Identifier: Apache-2.0
import { RowSet } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { MatchingRows } from '../matching-rows.ts';
import { type ClusterSearch, FilterClusters, SpaceClusters, type Training } from './filter-clusters.ts';
import { trainClusters } from './k-means.ts';
import type { RowClusters } from './row-clusters.ts';

const COUNT = 2000;
const DIMENSION = 4;
const matching = new MatchingRows(RowSet.of(Array.from({ length: COUNT }, (_, row) => row)));
const bytes = { vector: 16, code: 16 };
const search: ClusterSearch = { matching, dimension: DIMENSION, bytes, count: 10, ef: 128 };
const SCAN_COST = 1e6;

function trained(): RowClusters {
  const vector = (row: number) => Float32Array.of(row % 7, row % 11, row % 13, row % 17);
  const source = { dimension: DIMENSION, metric: 'euclid' as const, rows: matching.set.toArray(), intact: matching.set.clone() };
  const steps = trainClusters({ ...source, vector });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const training: Training = { changed: () => {} };

function withClusters(): SpaceClusters {
  const clusters = new SpaceClusters();
  clusters.begin(training);
  clusters.end(training, trained());
  return clusters;
}

function tryOnce(clusters: SpaceClusters, row: number): void {
  const probe = clusters.trained?.probe(Float32Array.of(row, 1, 1, 1), matching);
  if (probe === undefined) throw new Error('there are clusters');
  probe.chooseNearest(0.06);
  clusters.note([row], { probe, maxDistance: 1, count: 10, ef: 128 });
}

test('training begins when as much was spent as it costs, once', () => {
  const clusters = new SpaceClusters();
  let spent = 0;
  while (!clusters.spend(100, search).isTime) spent += 100;
  // A row costs some microseconds.
  expect(spent).toBeGreaterThan(2 * COUNT);
  expect(spent).toBeLessThan(20 * COUNT);
  clusters.begin(training);
  expect(clusters.spend(1e9, search).isTime).toBe(false);
});

test('few rows get no clusters', () => {
  const few = { ...search, matching: new MatchingRows(RowSet.of([1, 2, 3])) };
  expect(new SpaceClusters().spend(1e9, few).isTime).toBe(false);
});

test('clusters are tried before they serve, and serve where they cost less', () => {
  const clusters = withClusters();
  for (let row = 0; row < 24; row++) {
    expect(clusters.advise(search, SCAN_COST)).toEqual({ kind: 'try' });
    tryOnce(clusters, row);
  }
  expect(clusters.advise(search, SCAN_COST)).toMatchObject({ kind: 'use' });
  expect(clusters.advise(search, 1)).toEqual({ kind: 'none' });
  // Searches for many more rows are tried by themselves.
  expect(clusters.advise({ ...search, count: 1000 }, SCAN_COST)).toEqual({ kind: 'try' });
});

test('a larger ef raises the probe bound', () => {
  const clusters = withClusters();
  for (let row = 0; row < 24; row++) {
    clusters.advise(search, SCAN_COST);
    const trial = clusters.trial(10);
    trial.note([row], [...Array.from({ length: 98 }, () => 1), 2, 3]);
    trial.noteShare(0.1);
  }
  expect(clusters.advise({ ...search, ef: 100 }, SCAN_COST)).toMatchObject({ probeBound: 1 });
  expect(clusters.advise({ ...search, ef: 256 }, SCAN_COST)).toMatchObject({ probeBound: 2 });
  expect(clusters.advise({ ...search, ef: 1024 }, SCAN_COST)).toMatchObject({ probeBound: 3 });
});

test('clusters are dropped when many rows have changed', () => {
  const clusters = withClusters();
  clusters.change(new Set(Array.from({ length: COUNT / 16 }, (_, row) => row)));
  expect(clusters.advise(search, SCAN_COST)).toEqual({ kind: 'try' });
  clusters.change(new Set(Array.from({ length: COUNT / 4 }, (_, row) => row)));
  expect(clusters.advise(search, SCAN_COST)).toEqual({ kind: 'none' });
  expect([clusters.trained, clusters.bytes]).toEqual([undefined, 0]);
});

test('clusters that were dropped during their training are not used', () => {
  const clusters = new SpaceClusters();
  clusters.begin(training);
  clusters.drop();
  expect(clusters.awaits(training)).toBe(false);
  clusters.end(training, trained());
  expect(clusters.trained).toBeUndefined();
});

test('a filter has clusters for a few vectors, and their bytes are counted', () => {
  const filter = new FilterClusters();
  const [first, again] = [filter.of(0), filter.of(0)];
  expect(first).toBe(again);
  first?.begin(training);
  first?.end(training, trained());
  expect(filter.bytes).toBeGreaterThan(4 * COUNT);
  for (let ordinal = 1; ordinal < 4; ordinal++) expect(filter.of(ordinal)).toBeDefined();
  expect(filter.of(4)).toBeUndefined();
  filter.drop();
  expect(filter.bytes).toBe(0);
});
