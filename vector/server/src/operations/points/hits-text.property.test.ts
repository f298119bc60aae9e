// SPDX-License-Identifier: Apache-2.0
import { shortestFloat32, stringifyJson } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hitsText } from './hits-text.ts';

const payload = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.bigInt({ min: 1n << 53n, max: 1n << 64n }))) as fc.Arbitrary<
  Record<string, never>
>;
const float = fc.float({ noNaN: true }).map(Math.fround);
const vector = fc.oneof(fc.array(float), fc.dictionary(fc.string(), fc.array(float)));
const id = fc.oneof(fc.nat(), fc.bigInt({ min: 1n << 53n, max: (1n << 64n) - 1n }), fc.uuid());
const members = {
  id,
  payload,
  vector,
  order_value: fc.oneof(fc.double({ noNaN: true }), fc.constant(1n << 60n)),
  version: fc.nat(),
  score: float,
};
const hit = fc.record(members, { requiredKeys: ['id', 'version', 'score'] });

describe('the text of hits', () => {
  test('is that of the hits as objects, with float32 in few digits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hit, { maxLength: 80 }), async (hits) => {
        const short = (values: readonly number[]) => values.map(shortestFloat32);
        const shown = hits.map(({ id, payload, vector, order_value, version, score }) => ({
          id,
          payload,
          vector: Array.isArray(vector)
            ? short(vector)
            : vector && Object.fromEntries(Object.entries(vector).map(([name, values]) => [name, short(values)])),
          order_value,
          version,
          score: shortestFloat32(score),
        }));
        expect((await hitsText(hits)).text).toBe(stringifyJson(shown));
      }),
      { numRuns: roundsOf({ quick: 70, long: 2000 }) },
    );
  });

  test('has a payload that comes as text as it is', async () => {
    const { text } = await hitsText([{ id: 1, payloadText: '{"a":[1,{"b":null}]}', version: 2, score: 0.5 }]);
    expect(text).toBe('[{"id":1,"payload":{"a":[1,{"b":null}]},"version":2,"score":0.5}]');
  });
});
