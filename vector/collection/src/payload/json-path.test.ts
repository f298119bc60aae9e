// SPDX-License-Identifier: Apache-2.0
import { type JsonValue, parseJson } from '@sextant/foundation-std';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PathStep, parseJsonPath, pathOf, resolvePath } from './json-path.ts';

// Parsed from text, as payloads are, so that hostile names are own members.
const PAYLOAD = parseJson(
  `{"a":{"b":1,"list":[1,2],"none":null},"rows":[{"b":1},{"b":[2,3]},{"c":4},5,[6]],"grid":[[1,2],[3]],
    "quo ted":{"x.y":7,"q\\"\\\\":8},"__proto__":{"polluted":true},"empty":[]}`,
) as JsonValue; // checked by the expectations below

describe('a path leads to', () => {
  test.each([
    ['a.b', [1]],
    ['a.list', [[1, 2]]],
    ['a.list[]', [1, 2]],
    ['a.list[1]', [2]],
    ['a.list[2]', []],
    ['a.none', [null]],
    ['a.missing', []],
    ['a.b.c', []],
    ['rows.b', []],
    ['rows[].b', [1, [2, 3]]],
    ['rows[].b[]', [2, 3]],
    ['rows[1].b', [[2, 3]]],
    ['rows[4]', [[6]]],
    ['grid[][]', [1, 2, 3]],
    ['grid[][0]', [1, 3]],
    ['grid[0][1]', [2]],
    ['empty', [[]]],
    ['empty[]', []],
    ['a[]', []],
    ['a[0]', []],
    ['"quo ted"."x.y"', [7]],
    ['quo ted."q\\"\\\\"', [8]],
    ['__proto__.polluted', [true]],
    ['constructor', []],
    ['a.constructor.name', []],
    ['a.list.length', []],
    ['toString', []],
  ])('%s: %j', (path, values) => {
    expect(resolvePath(parseJsonPath(path), PAYLOAD)).toEqual(values);
  });
});

describe('a path that makes no sense is refused with its position', () => {
  test.each([
    ['', 'expected a key at position 0'],
    ['.a', 'expected a key at position 0'],
    ['a.', 'expected a key at position 2'],
    ['a..b', 'expected a key at position 2'],
    ['[]', 'expected a key at position 0'],
    ['a[', 'expected [] or [index] at position 1'],
    ['a[-1]', 'expected [] or [index] at position 1'],
    ['a[1.5]', 'expected [] or [index] at position 1'],
    ['a[1', 'expected [] or [index] at position 1'],
    ['a[]b', 'expected "." or "[" or the end at position 3'],
    ['a]', 'expected "." or "[" or the end at position 1'],
    ['a"b', 'expected "." or "[" or the end at position 1'],
    ['"a', 'expected a closed quoted key'],
    ['"a\\n"', 'expected a closed quoted key'],
    ['a[9999999999]', 'expected [] or [index] at position 1'],
    ['a'.repeat(1025), 'expected at most 1024 characters'],
    ['a.'.repeat(70).slice(0, -1), 'expected at most 64 steps'],
  ])('%s', (path, message) => {
    expect(() => parseJsonPath(path)).toThrow(message);
  });
});

test('the canonical text of any path reads back as the same path', () => {
  const step: fc.Arbitrary<PathStep> = fc.oneof(
    fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }).map((key) => ({ kind: 'key' as const, key })),
    fc.constantFrom('a', '"', '\\', '.', '[]', '__proto__', '').map((key) => ({ kind: 'key' as const, key })),
    fc.nat(99).map((index) => ({ kind: 'index' as const, index })),
    fc.constant({ kind: 'each' as const }),
  );
  const head = fc.string({ maxLength: 5 }).map((key) => ({ kind: 'key' as const, key }));
  fc.assert(
    fc.property(head, fc.array(step, { maxLength: 6 }), (first, rest) => {
      const path = pathOf([first, ...rest]);
      expect(parseJsonPath(path.text)).toEqual(path);
    }),
  );
});
