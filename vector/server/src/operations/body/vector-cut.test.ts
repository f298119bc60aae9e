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
