// SPDX-License-Identifier: Apache-2.0
/** Bytes are stored as they came, so their lengths are divided out by every query that compares them. */
import type { Query } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';
import type { Engine } from '../engine.ts';

let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
let engine: Engine;

beforeAll(async () => {
  scratch = await temporaryDirectory();
  engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
  await engine.createCollection('bytes', { vectors: { size: 2, distance: 'Cosine', datatype: 'uint8' } });
  await engine.upsert('bytes', [
    { id: 1, vector: [3, 4] },
    { id: 2, vector: [40, 30] },
    { id: 3, vector: [0, 200] },
    { id: 4, vector: [7, 0] },
    { id: 5, vector: [0, 0] },
  ]);
});

afterAll(async () => {
  await engine.close();
  await scratch[Symbol.asyncDispose]();
});

/** Its cosines with the five points: 0.96, 1, 0.6, 0.8 and, as a vector of zeros is equally far from all, 0. */
const slope = [4, 3];
/** 0.6, 0.8, 0, 1, 0. */
const right = [1, 0];
/** 0.8, 0.6, 1, 0, 0. */
const up = [0, 2];
const context = [{ positive: right, negative: up }];
/** What keeps a cosine between 0 and 1. */
const squeezed = (cosine: number) => 0.5 * (cosine / (1 + cosine) + 1);

test.each<[string, Query, readonly (readonly [id: number, score: number])[]]>([
  [
    'recommend by the best score',
    { kind: 'recommend', positive: [slope], negative: [up], strategy: 'best_score' },
    [
      [2, 0.75],
      [1, squeezed(0.96)],
      [4, squeezed(0.8)],
      [5, -0.5],
      [3, -0.75],
    ],
  ],
  [
    'recommend by the sum of scores',
    { kind: 'recommend', positive: [slope], negative: [up], strategy: 'sum_scores' },
    [
      [4, 0.8],
      [2, 0.4],
      [1, 0.16],
      [5, 0],
      [3, -0.4],
    ],
  ],
  [
    'discover',
    { kind: 'discover', target: slope, context },
    [
      [2, 1.75],
      [4, 1 + squeezed(0.8)],
      [5, 0.5],
      [1, -1 + squeezed(0.96)],
      [3, -1 + squeezed(0.6)],
    ],
  ],
  [
    'context',
    { kind: 'context', context },
    [
      [2, 0],
      [4, 0],
      [5, -(2 ** -23)],
      [1, -0.2 / 1.2],
      [3, -0.5],
    ],
  ],
  [
    // (4, 3) and (1, 0) are (2.5, 1.5) on average, and (5, 1) away from (0, 2): without fractions, and not below 0.
    'recommend by the average',
    { kind: 'recommend', positive: [slope, right], negative: [up], strategy: 'average_vector' },
    [
      [4, 5 / Math.hypot(5, 1)],
      [2, 23 / (5 * Math.hypot(5, 1))],
      [1, 19 / (5 * Math.hypot(5, 1))],
      [3, 1 / Math.hypot(5, 1)],
      [5, 0],
    ],
  ],
  [
    'relevance feedback',
    {
      kind: 'relevance_feedback',
      target: slope,
      feedback: [
        { example: right, score: 1 },
        { example: up, score: 0 },
      ],
      naive: { a: 1, b: 1, c: 1 },
    },
    [
      [4, 1.8],
      [2, 1.2],
      [1, 0.76],
      [5, 0],
      [3, -0.4],
    ],
  ],
  [
    // Of [24, 7], 0.8, 0.936, 0.28, 0.96, 0: first 4. Then 3 by (0.28 - 0) / 2, before 1 by (0.8 - 0.6) / 2; then 2 by (0.936 - 0.8) / 2.
    'maximal marginal relevance',
    { kind: 'nearest', to: [24, 7], mmr: { diversity: 0.5, candidates_limit: 5 } },
    [
      [4, 0.96],
      [3, 0.28],
      [2, 0.936],
    ],
  ],
])('%s compares bytes by their cosine', async (_, query, expected) => {
  const hits = await engine.query('bytes', {
    query,
    prefetch: [],
    limit: expected.length,
    offset: 0,
    with_payload: false,
    with_vector: false,
  });
  expect(hits.map(({ id, score }) => [id, score])).toEqual(expected.map(([id, score]) => [id, expect.closeTo(score, 6)]));
});
