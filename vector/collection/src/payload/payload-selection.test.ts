// SPDX-License-Identifier: Apache-2.0
import type { Payload, WithPayload } from '@sextant/contracts-vector';
import { parseJson, stringifyJson } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { compileSelection } from './payload-selection.ts';

const TEXT = '{"a":{"b":1,"c":[1,2]},"rows":[{"b":1,"c":2},{"c":3},4],"d":null,"__proto__":{"x":1}}';
const PAYLOAD = parseJson(TEXT) as Payload;

describe('with_payload', () => {
  test.each<[WithPayload, string | undefined]>([
    [true, TEXT],
    [false, undefined],
    [[], '{}'],
    [['a'], '{"a":{"b":1,"c":[1,2]}}'],
    [['a.b', 'd'], '{"a":{"b":1},"d":null}'],
    [['a', 'a.b'], '{"a":{"b":1,"c":[1,2]}}'],
    [['rows[].b'], '{"rows":[{"b":1},{}]}'],
    [['rows[1]'], '{"rows":[{"c":3}]}'],
    [['rows[]', 'a.c[0]'], '{"a":{"c":[1]},"rows":[{"b":1,"c":2},{"c":3},4]}'],
    [['rows.b', 'a.b.c', 'missing'], '{"a":{}}'],
    [['__proto__.x'], '{"__proto__":{"x":1}}'],
    [{ include: ['d'] }, '{"d":null}'],
    [{ exclude: [] }, TEXT],
    [{ exclude: ['a', 'rows', '__proto__'] }, '{"d":null}'],
    [{ exclude: ['a.b', 'rows[].c', '__proto__.x'] }, '{"a":{"c":[1,2]},"rows":[{"b":1},{},4],"d":null,"__proto__":{}}'],
    [{ exclude: ['rows[0]', 'rows[].c', 'd', 'a', '__proto__'] }, '{"rows":[{},4]}'],
    [{ exclude: ['rows.c', 'missing', 'a[]'] }, TEXT],
  ])('%j', (selector, text) => {
    const selected = compileSelection(selector)(PAYLOAD);
    expect(selected === undefined ? undefined : stringifyJson(selected)).toBe(text);
  });

  test.each<[WithPayload, string]>([
    [['a', 'b['], 'with_payload[1]: expected [] or [index] at position 1'],
    [{ include: ['.'] }, 'with_payload.include[0]: expected a key at position 0'],
    [{ exclude: [''] }, 'with_payload.exclude[0]: expected a key at position 0'],
    [Array.from({ length: 1001 }, () => 'a'), 'with_payload: expected at most 1000 paths, got 1001'],
  ])('refuses %j', (selector, message) => {
    expect(() => compileSelection(selector)).toThrow(message);
  });
});
