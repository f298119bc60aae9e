// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, stringifyExactly, stringifyJson } from './json.ts';

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.integer(),
    fc.bigInt({ min: 1n << 53n, max: (1n << 64n) - 1n }),
    fc.bigInt({ min: -(1n << 63n), max: -(1n << 53n) }),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
})).value;

describe('JSON without loss', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
    ['{"id": 18446744073709551615}', { id: 18446744073709551615n }],
    ['[1,18446744073709551615 ]', [1, 18446744073709551615n]],
    ['"id: 18446744073709551615,"', 'id: 18446744073709551615,'],
    ['1e400', Number.POSITIVE_INFINITY],
    ['12345678901234567890.5', Number('12345678901234567890.5')],
    ['1234567890123456789e2', Number('1234567890123456789e2')],
    ['{"a":"\\"1234567890123456789","b":1234567890123456789}', { a: '"1234567890123456789', b: 1234567890123456789n }],
    ['["\\\\",1234567890123456789," 1234567890123456789 "]', ['\\', 1234567890123456789n, ' 1234567890123456789 ']],
    ['["\u007f1",1234567890123456789]', ['\u007f1', 1234567890123456789n]],
    ['["\\u007F1",1234567890123456789]', ['\u007f1', 1234567890123456789n]],
    ['{"1234567890123456789":-1234567890123456789}', { '1234567890123456789': -1234567890123456789n }],
  ])('%s is read exactly', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test.each([
    '',
    '{',
    '[1,]',
    '01',
    'NaN',
    "{'a':1}",
    '{"a":1}x',
    '99999999999999999999,',
    '01234567890123456789',
    '{1234567890123456789:1}',
    '{"a":1234567890123456789, 1234567890123456789 :1}',
    '[1234567890123456789x]',
  ])('%j is refused', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('a member called __proto__ is a member like any other', () => {
    const value = parseJson('{"__proto__":{"id":1234567890123456789}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe('{"__proto__":{"id":1234567890123456789}}');
  });

  test('what is written is read back as it was', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parseJson(stringifyJson(value))).toEqual(integersAsRead(value));
      }),
    );
  });

  test.each([1e20, -1e16, 2 ** 53, 123456789012345680000, 1e21, 1.7976931348623157e308])(
    'the double %d is read back as a double',
    (number) => {
      expect(parseJson(stringifyExactly({ sums: [number] }))).toEqual({ sums: [number] });
    },
  );

  test('what is written exactly is read back as it was', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parseJson(stringifyExactly(value))).toEqual(value);
      }),
    );
  });
});

/** Integral doubles of 2^53 and more print without an exponent up to 10^21, and are read as the integers that they are. */
function integersAsRead(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21 ? BigInt(String(value)) : value;
  if (Array.isArray(value)) return value.map(integersAsRead);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, integersAsRead(member)]));
}
