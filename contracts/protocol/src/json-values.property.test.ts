// SPDX-License-Identifier: Apache-2.0
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { ValueSchema } from '@qdrant/js-client-grpc';
import type { JsonValue } from '@sextant/foundation-std';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromValue, toValue } from './json-values.ts';

const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    // Smaller ones are numbers wherever they come from.
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test('a payload comes back from the protocol as it was', () => {
  fc.assert(
    fc.property(json, (value) => {
      const back = fromValue(fromBinary(ValueSchema, toBinary(ValueSchema, toValue(value))));
      // The protocol's integers know no negative zero, and a double beyond 2^53 is no integer to us.
      expect(JSON.stringify(back, wide)).toBe(JSON.stringify(value, wide));
    }),
  );
});

function wide(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
