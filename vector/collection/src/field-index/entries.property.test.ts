// SPDX-License-Identifier: Apache-2.0
import type { FieldSchema, Payload } from '@sextant/contracts-vector';
import { parseJson, stringifyJson } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import { POSTING_KEY_BYTES_MAX } from '@sextant/vector-storage';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PATHS, payload } from '../filter/filter-arbitraries.ts';
import { postingKeysOf } from './entries.ts';
import { type FieldIndex, normaliseFieldSchema } from './schema.ts';

const type = fc.constantFrom<FieldSchema['type']>('keyword', 'integer', 'float', 'bool', 'datetime', 'uuid', 'geo', 'text');
const indexes = fc
  .dictionary(fc.constantFrom(...Object.keys(PATHS)), type)
  .map(
    (fields) =>
      new Map(
        Object.entries(fields).map(([field, name], ordinal): [string, FieldIndex] => [
          field,
          { field, ordinal: ordinal * 1000, schema: normaliseFieldSchema({ type: name }) },
        ]),
      ),
  );

test('a payload has the same keys whenever it is asked, none of them twice and none too long', () => {
  fc.assert(
    fc.property(indexes, payload, (fields, before) => {
      const keys = postingKeysOf(fields, before).map((key) => Buffer.from(key).toString('hex'));
      const stored = parseJson(stringifyJson(before)) as Payload; // the text of a payload
      expect(postingKeysOf(new Map(fields), stored).map((key) => Buffer.from(key).toString('hex'))).toEqual(keys);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.every((key) => key.length / 2 <= POSTING_KEY_BYTES_MAX)).toBe(true);
    }),
    { numRuns: roundsOf({ quick: 170, long: 5000 }) },
  );
});
