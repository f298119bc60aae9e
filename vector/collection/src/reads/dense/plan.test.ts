// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import type { ClusterAdvice } from '../ivf/filter-clusters.ts';
import type { OpenFilter } from '../matching/known-filter.ts';
import { type PlanInput, planSearch } from './plan.ts';

const BASE: PlanInput = {
  exact: false,
  count: 10,
  indexedCount: 100_000,
  liveCount: 100_000,
  graphs: 1,
  ef: 100,
  m: 16,
  bytes: { vector: 512, code: 128 },
  fullScanBytes: 0,
  candidateCount: undefined,
  shareAround: () => 1,
  clusters: () => ({ kind: 'none' }),
};
/** 784 components, in codes of 252 directions. */
const PROJECTED = { vector: 3136, code: 256, projected: 784 };
const PROJECTED_NOT = { vector: 3136, code: 256 };
const OPEN: OpenFilter = { share: 0.5, undecided: 100_000, evaluationCost: 3, spent: 0 };

describe('the way of a request', () => {
  test.each<[string, Partial<PlanInput>, string]>([
    ['a search without a filter uses the graph', {}, 'graph'],
    ['exact scans everything', { exact: true }, 'scan'],
    ['without a graph everything is scanned', { indexedCount: 0 }, 'scan'],
    ['an ef as large as the collection is a scan', { ef: 100_000 }, 'scan'],
    ['few candidates are scanned by their codes', { candidateCount: 1000 }, 'quantized-scan'],
    ['very few candidates are scanned', { candidateCount: 10 }, 'scan'],
    ['some more are scanned exactly where a quantized scan has to project the query', { candidateCount: 70, bytes: PROJECTED }, 'scan'],
    ['and by codes where these are as long, but no projections', { candidateCount: 70, bytes: PROJECTED_NOT }, 'quantized-scan'],
    ['none are scanned', { candidateCount: 0 }, 'scan'],
    ['many candidates use the filtered graph', { candidateCount: 50_000 }, 'graph'],
    [
      'so few of very many that they are not connected are scanned by their codes',
      { liveCount: 1e8, candidateCount: 4e5 },
      'quantized-scan',
    ],
    ['those that cost more to scan than one graph to search use the graph', { candidateCount: 14_000 }, 'graph'],
    ['but are scanned where there are many graphs', { candidateCount: 14_000, graphs: 8 }, 'quantized-scan'],
    [
      'candidates below the full scan threshold are scanned by their codes',
      { candidateCount: 50_000, fullScanBytes: 1e9 },
      'quantized-scan',
    ],
    [
      'many candidates of which none is near the query are scanned by their codes',
      { candidateCount: 20_000, shareAround: () => 0 },
      'quantized-scan',
    ],
    [
      'very many candidates of which none is near the query use the filtered graph',
      { liveCount: 1e7, candidateCount: 5e6, shareAround: () => 0 },
      'graph',
    ],
    ['exact with a filter scans its rows', { candidateCount: 50_000, exact: true }, 'scan'],
  ])('%s', (_name, change, kind) => {
    expect(planSearch({ ...BASE, ...change }).kind).toBe(kind);
  });

  test.each<[string, Partial<PlanInput>, number]>([
    ['is the one asked for where most pass', { candidateCount: 70_000 }, 100],
    ['is the one asked for where a tenth passes', { candidateCount: 14_000 }, 100],
    ['is a little larger where half pass', { candidateCount: 50_000, shareAround: () => 0.5 }, 120],
    ['but not where codes are projections', { candidateCount: 50_000, bytes: PROJECTED, shareAround: () => 0.5 }, 100],
    ['and where nearly all pass around the query', { candidateCount: 50_000, shareAround: () => 0.8 }, 100],
    ['is larger where few pass', { liveCount: 2e6, candidateCount: 45_000 }, 200],
    ['is much larger where none pass around the query', { liveCount: 1e7, candidateCount: 5e6, shareAround: () => 0.1 }, 800],
  ])('the ef of a filtered graph search %s', (_name, change, ef) => {
    expect(planSearch({ ...BASE, ...change })).toEqual({ kind: 'graph', ef });
  });

  test.each<[ClusterAdvice, object]>([
    [{ kind: 'none' }, { kind: 'quantized-scan', lacking: expect.closeTo(349, 0) }],
    [{ kind: 'try' }, { kind: 'trial' }],
    [
      { kind: 'use', probeBound: 4, cost: 100 },
      { kind: 'ivf', probeBound: 4 },
    ],
  ])('where none pass around the query, what is known of clusters there decides: %o', (advice, plan) => {
    expect(planSearch({ ...BASE, candidateCount: 50_000, shareAround: () => 0, clusters: () => advice })).toEqual(plan);
  });

  test.each<[string, Partial<PlanInput>, string]>([
    ['none pass', { shareAround: () => 0 }, 'ivf'],
    ['as many pass as elsewhere', { shareAround: () => 0.5 }, 'ivf'],
    ['nearly all pass', { shareAround: () => 0.8 }, 'graph'],
    ['none pass, but a quantized scan costs little', { candidateCount: 14_000, shareAround: () => 0 }, 'quantized-scan'],
    ['as many pass as elsewhere, and a quantized scan costs little', { candidateCount: 14_000, shareAround: () => 0.14 }, 'graph'],
  ])('clusters that are there serve queries around which %s: %o', (_name, change, kind) => {
    const clusters = (): ClusterAdvice => ({ kind: 'use', probeBound: 4, cost: 100 });
    expect(planSearch({ ...BASE, candidateCount: 50_000, clusters, ...change }).kind).toBe(kind);
  });

  test('the rows around the query are counted only where a graph search would pay', () => {
    const shareAround = () => {
      throw new Error('not needed');
    };
    for (const change of [{ candidateCount: 1000 }, { candidateCount: 50_000, exact: true }, {}]) {
      expect(() => planSearch({ ...BASE, ...change, shareAround })).not.toThrow();
    }
  });
});

describe('a filter that no index decides', () => {
  const plan = (change: Partial<PlanInput>, open: Partial<OpenFilter> = {}) =>
    planSearch({ ...BASE, ...change, open: { ...OPEN, ...open } });

  test.each<[string, Partial<PlanInput>, Partial<OpenFilter>, string]>([
    ['that many match checks the hits of a search', {}, {}, 'post-check'],
    ['that hardly any match is evaluated', {}, { share: 0.0001 }, 'evaluate'],
    ['of few candidates is evaluated', { candidateCount: 20 }, { undecided: 20 }, 'evaluate'],
    ['is evaluated once that would have cost no more than what was spent', {}, { spent: 300_000 }, 'evaluate'],
    ['is evaluated where little of it is open', {}, { undecided: 5 }, 'evaluate'],
    ['checks the hits of a scan where the answer is to be exact', { exact: true }, {}, 'post-check'],
  ])('%s', (_name, change, open, kind) => {
    expect(plan(change, open).kind).toBe(kind);
  });

  test('is looked for among what indexes leave', () => {
    expect(plan({ candidateCount: 50_000 }, { undecided: 50_000 })).toMatchObject({ among: { kind: 'graph' } });
    expect(plan({ candidateCount: 2000 }, { undecided: 2000 })).toMatchObject({ among: { kind: 'quantized-scan' } });
    expect(plan({ exact: true })).toMatchObject({ among: { kind: 'scan' } });
  });

  test('is looked for among more rows, with a larger ef, the fewer match', () => {
    const [half, tenth] = [plan({}, { share: 0.5 }), plan({}, { share: 0.05 })];
    expect(half).toMatchObject({ count: 33, among: { ef: 100 } });
    expect(tenth).toMatchObject({ count: 327, among: { ef: 327 } });
  });
});
