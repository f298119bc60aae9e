// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { configFromRequest } from '../model/collection-config.ts';
import { wantsGraph, wantsRepair } from './indexing-policy.ts';

const PARAMS = { size: 256, distance: 'Dot' } as const;
const configured = (change: object) => configFromRequest({ vectors: PARAMS, ...change });

describe('a graph', () => {
  test.each([
    ['is not built up to the threshold', {}, { liveCount: 10_000, indexedCount: 0 }, false],
    ['is built above it', {}, { liveCount: 10_001, indexedCount: 0 }, true],
    ['is kept up once begun', {}, { liveCount: 2, indexedCount: 1 }, true],
    [
      'is never built with a threshold of zero',
      { optimizers_config: { indexing_threshold: 0 } },
      { liveCount: 1e6, indexedCount: 0 },
      false,
    ],
    ['is never built with m zero', { hnsw_config: { m: 0 } }, { liveCount: 1e6, indexedCount: 0 }, false],
  ])('%s', (_name, change, counts, wanted) => {
    expect(wantsGraph(configured(change), PARAMS, counts)).toBe(wanted);
  });
});

describe('deleted rows', () => {
  test.each([
    ['wait while they are few', { share: 0.9, count: 199 }, false],
    ['wait while their share is small', { share: 0.2, count: 5000 }, false],
    ['are repaired away past both bounds', { share: 0.21, count: 200 }, true],
    ['that do not exist need no repair', { share: 0, count: 0 }, false],
  ])('%s', (_name, deleted, wanted) => {
    expect(wantsRepair(configured({}).optimizer_config, deleted)).toBe(wanted);
  });
});
