import { describe, expect, test } from 'vitest';
import { type PlanInput, planSearch } from './plan.ts';

const BASE: PlanInput = {
  exact: false,
  indexedCount: 100_000,
  liveCount: 100_000,
  ef: 100,
  m: 16,
  bytesPerVector: 512,
  fullScanBytes: 0,
  filter: 'none',
  candidateCount: 100_000,
};

describe('the way of a request', () => {
  test.each<[string, Partial<PlanInput>, string]>([
    ['no filter walks the graph', {}, 'graph'],
    ['exact scans everything', { exact: true }, 'scan-all'],
    ['without a graph everything is scanned', { indexedCount: 0 }, 'scan-all'],
    ['a beam as wide as the collection is a scan', { ef: 100_000 }, 'scan-all'],
    ['few candidates are scanned', { filter: 'known-rows', candidateCount: 1000 }, 'scan-candidates'],
    ['many candidates walk the filtered graph', { filter: 'known-rows', candidateCount: 50_000 }, 'filtered-graph'],
    [
      'candidates below the full scan threshold are scanned',
      { filter: 'known-rows', candidateCount: 50_000, fullScanBytes: 1e9 },
      'scan-candidates',
    ],
    ['exact with a filter scans its rows', { filter: 'known-rows', candidateCount: 50_000, exact: true }, 'scan-candidates'],
    ['an undecided filter checks the hits of the graph', { filter: 'to-evaluate' }, 'post-check'],
    ['an undecided filter of few candidates evaluates them', { filter: 'to-evaluate', candidateCount: 50 }, 'scan-candidates'],
    ['an undecided filter without a graph evaluates all', { filter: 'to-evaluate', indexedCount: 0 }, 'scan-candidates'],
  ])('%s', (_name, change, kind) => {
    expect(planSearch({ ...BASE, ...change }).kind).toBe(kind);
  });
});
