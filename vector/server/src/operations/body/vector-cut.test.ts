// SPDX-License-Identifier: Apache-2.0
import { parseJson } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { cutVectors, putVectorsBack } from './vector-cut.ts';

const VECTOR = Array.from({ length: 20 }, (_, index) => index / 8);

test.each([1, 1000, 20_000])('a body of %i points with payloads comes apart and together again', (count) => {
  const points = Array.from({ length: count }, (_, id) => ({ id, vector: VECTOR, payload: { text: `note ${id} of "the log"` } }));
  const cut = cutVectors(Buffer.from(JSON.stringify({ points })));
  expect(cut?.vectors).toHaveLength(count);
  const rest = Buffer.from(cut?.rest ?? []).toString('utf8');
  const whole = putVectorsBack(parseJson(rest), cut?.vectors ?? []);
  expect(whole).toEqual({ points: points.map((point) => ({ ...point, vector: Float32Array.from(VECTOR) })) });
});

test('a sparse vector stays in its place beside a dense one that is cut out', () => {
  const words = { indices: Array.from({ length: 30 }, (_, index) => index), values: VECTOR };
  const points = [
    { id: 1, vector: { words, look: VECTOR } },
    { id: 2, vector: { look: VECTOR, words } },
    { id: 3, vector: VECTOR },
  ];
  const cut = cutVectors(Buffer.from(JSON.stringify({ points })));
  expect(cut?.vectors).toHaveLength(3);
  const rest = parseJson(Buffer.from(cut?.rest ?? []).toString('utf8'));
  const look = Float32Array.from(VECTOR);
  expect(putVectorsBack(rest, cut?.vectors ?? [])).toEqual({
    points: [
      { id: 1, vector: { words, look } },
      { id: 2, vector: { look, words } },
      { id: 3, vector: look },
    ],
  });
  // Its values came first, and have been taken for a vector.
  expect(cutVectors(Buffer.from(JSON.stringify({ query: { values: VECTOR, indices: [1] } })))).toBeUndefined();
});
