// SPDX-License-Identifier: Apache-2.0
import { type JsonValue, parseJson, stringifyJson } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileFilter } from './compile.ts';
import { filter, payload, pointId } from './filter-arbitraries.ts';
import { naiveMatches } from './naive-filter.ts';

const vectors = fc.subarray(['', 'image']);

test('generated filters select the same generated points as a naive reading of them', () => {
  const runs = roundsOf({ quick: 1000, long: 30_000 });
  let held = 0;
  fc.assert(
    fc.property(filter, fc.array(fc.record({ id: pointId, payload, vectors }), { minLength: 1, maxLength: 8 }), (generated, points) => {
      const { matches } = compileFilter(generated, () => undefined);
      for (const point of points) {
        const expected = naiveMatches(generated, point);
        if (expected) held++;
        const actual = matches({ id: point.id, payload: point.payload, hasVector: (name) => point.vectors.includes(name) });
        expect(actual, stringifyJson(point)).toBe(expected);
      }
    }),
    { numRuns: runs },
  );
  expect(held, 'enough points match for the test to mean something').toBeGreaterThan(runs / 2);
});

test('a payload that went through storage as text matches as before', () => {
  fc.assert(
    fc.property(filter, payload, (generated, before) => {
      const { matches } = compileFilter(generated, () => undefined);
      const after = parseJson(stringifyJson(before)) as JsonValue; // the text of a payload
      const point = { id: 1, hasVector: () => false };
      expect(matches({ ...point, payload: after })).toBe(matches({ ...point, payload: before }));
    }),
    { numRuns: roundsOf({ quick: 330, long: 10_000 }) },
  );
});
