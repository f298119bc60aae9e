// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INTERVALS_PER_OCTAVE, type InputNorms, ofVectors, withInputNorms } from './input-norms.ts';

const total = (norms: InputNorms, ordinal: number) => (norms[ordinal] ?? []).reduce((sum, [, count]) => sum + count, 0);

test('lengths are counted by vector and interval, in the order of the intervals', () => {
  const norms = withInputNorms({}, [
    { ordinal: 0, norm: 1 },
    { ordinal: 0, norm: 1.01 },
    { ordinal: 0, norm: 0.5 },
    { ordinal: 3, norm: 2 },
  ]);
  expect(norms).toEqual({
    0: [
      [-16, 1],
      [0, 2],
    ],
    3: [[16, 1]],
  });
});

test('any length lies in its interval, and is counted once, in one step or in many', () => {
  const lengths = fc.array(fc.double({ min: 0, max: 1e300, noNaN: true }), { maxLength: 20 });
  fc.assert(
    fc.property(lengths, (norms) => {
      const added = norms.map((norm) => ({ ordinal: 1, norm }));
      const atOnce = withInputNorms({}, added);
      const oneByOne = added.reduce<InputNorms>((known, one) => withInputNorms(known, [one]), {});
      expect(oneByOne).toEqual(atOnce);
      expect(total(atOnce, 1)).toBe(norms.length);
      for (const norm of norms) {
        const [only] = withInputNorms({}, [{ ordinal: 1, norm }])[1] ?? [];
        const from = 2 ** ((only?.[0] ?? 0) / INTERVALS_PER_OCTAVE);
        if (norm > 2 ** -31 && norm < 2 ** 31) expect(norm / from).toBeGreaterThan(0.999);
        if (norm > 2 ** -31 && norm < 2 ** 31) expect(norm / from).toBeLessThan(1.045);
      }
    }),
  );
});

test('what is counted of a vector goes with it', () => {
  const norms = withInputNorms({}, [
    { ordinal: 0, norm: 1 },
    { ordinal: 1, norm: 1 },
  ]);
  expect(ofVectors(norms, [{ ordinal: 1 }])).toEqual({ 1: [[0, 1]] });
  expect(ofVectors(norms, [{ ordinal: 0 }, { ordinal: 1 }])).toBe(norms);
});
