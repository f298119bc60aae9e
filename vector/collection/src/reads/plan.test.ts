import { describe, expect, test } from 'vitest';
import { type PlanInput, planSearch } from './plan.ts';

const BASE: PlanInput = {
  exact: false,
  indexedCount: 100_000,
  liveCount: 100_000,
  ef: 100,
  m: 16,
  dimension: 128,
  fullScanBytes: 0,
  filter: 'none',
  candidateCount: 100_000,
  shareAround: () => 1,
};

describe('the way of a request', () => {
  test.each<[string, Partial<PlanInput>, string]>([
    ['no filter walks the graph', {}, 'graph'],
    ['exact scans everything', { exact: true }, 'scan-all'],
    ['without a graph everything is scanned', { indexedCount: 0 }, 'scan-all'],
    ['a beam as wide as the collection is a scan', { ef: 100_000 }, 'scan-all'],
    ['few candidates are swept', { filter: 'known-rows', candidateCount: 1000 }, 'sweep-candidates'],
    ['very few candidates are scanned', { filter: 'known-rows', candidateCount: 10 }, 'scan-candidates'],
    ['none are scanned', { filter: 'known-rows', candidateCount: 0 }, 'scan-candidates'],
    ['many candidates walk the filtered graph', { filter: 'known-rows', candidateCount: 50_000 }, 'filtered-graph'],
    [
      'so few of very many that they do not hang together are swept',
      { filter: 'known-rows', liveCount: 1e8, candidateCount: 4e5 },
      'sweep-candidates',
    ],
    [
      'candidates below the full scan threshold are swept',
      { filter: 'known-rows', candidateCount: 50_000, fullScanBytes: 1e9 },
      'sweep-candidates',
    ],
    [
      'many candidates of which none is near the query are swept',
      { filter: 'known-rows', candidateCount: 20_000, shareAround: () => 0 },
      'sweep-candidates',
    ],
    [
      'very many candidates of which none is near the query walk the filtered graph',
      { filter: 'known-rows', liveCount: 1e6, candidateCount: 500_000, shareAround: () => 0 },
      'filtered-graph',
    ],
    ['exact with a filter scans its rows', { filter: 'known-rows', candidateCount: 50_000, exact: true }, 'scan-candidates'],
    ['an undecided filter checks the hits of the graph', { filter: 'to-evaluate' }, 'post-check'],
    ['an undecided filter of few candidates evaluates them', { filter: 'to-evaluate', candidateCount: 50 }, 'scan-candidates'],
    ['an undecided filter without a graph evaluates all', { filter: 'to-evaluate', indexedCount: 0 }, 'scan-candidates'],
  ])('%s', (_name, change, kind) => {
    expect(planSearch({ ...BASE, ...change }).kind).toBe(kind);
  });

  test.each<[string, Partial<PlanInput>, number]>([
    ['is the one asked for where many pass', { candidateCount: 50_000 }, 100],
    ['is wider where few pass', { liveCount: 1e6, candidateCount: 20_000 }, 200],
    ['is much wider where none pass around the query', { liveCount: 1e6, candidateCount: 500_000, shareAround: () => 0.1 }, 800],
  ])('the beam of a filtered walk %s', (_name, change, ef) => {
    expect(planSearch({ ...BASE, filter: 'known-rows', ...change })).toEqual({ kind: 'filtered-graph', ef });
  });

  test('the rows around the query are looked at only where a walk would pay', () => {
    const shareAround = () => {
      throw new Error('not needed');
    };
    for (const change of [{ candidateCount: 1000 }, { candidateCount: 50_000, exact: true }, { filter: 'none' as const }]) {
      expect(() => planSearch({ ...BASE, filter: 'known-rows', ...change, shareAround })).not.toThrow();
    }
  });
});
