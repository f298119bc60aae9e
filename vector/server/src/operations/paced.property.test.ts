// SPDX-License-Identifier: Apache-2.0
import { stringifyJson } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pacedJson, pacedMap } from './paced.ts';

const point = fc.record({
  id: fc.oneof(fc.nat(), fc.bigInt({ min: 1n << 53n, max: 1n << 64n })),
  payload: fc.dictionary(fc.string(), fc.jsonValue()),
});
const points = fc.array(point, { maxLength: 300, size: 'max' });
const result = fc.oneof(
  points,
  fc.record({ points, next_page_offset: fc.option(fc.nat()) }),
  fc.array(points, { maxLength: 3 }),
  fc.array(fc.record({ points }), { maxLength: 3 }),
  fc.jsonValue(),
  fc.constant({ a: undefined, b: [1n << 60n] }),
);

describe('answers in slices', () => {
  test('print as they would in one go', async () => {
    await fc.assert(
      fc.asyncProperty(result, async (value) => {
        expect(await pacedJson(value)).toBe(stringifyJson(value));
      }),
      { numRuns: roundsOf({ quick: 10, long: 600 }) },
    );
  });

  test.each([0, 1, 64, 65, 1000])('%i items are all mapped, in order', async (length) => {
    const items = Array.from({ length }, (_, index) => index);
    expect(await pacedMap(items, (item) => item * 2)).toEqual(items.map((item) => item * 2));
  });

  test('let others run in between', async () => {
    let turns = 0;
    let other: NodeJS.Immediate | undefined;
    const takeTurn = () => {
      turns += 1;
      other = setImmediate(takeTurn);
    };
    takeTurn();
    await pacedJson(Array.from({ length: 1000 }, (_, id) => ({ id })));
    clearImmediate(other);
    expect(turns).toBeGreaterThan(10);
  });
});
