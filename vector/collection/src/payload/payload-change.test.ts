// SPDX-License-Identifier: Apache-2.0
import type { Payload } from '@sextant/contracts-vector';
import { parseJson, stringifyJson } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { parseJsonPath } from './json-path.ts';
import { deletePayloadKeys, overwritePayload, parseDeletePaths, setPayload } from './payload-change.ts';

// Payloads are written and compared as JSON text: `toEqual` passes over a `__proto__` member, text does not.
const payload = (text: string) => parseJson(text) as Payload;
const path = (text: string | undefined) => (text === undefined ? undefined : parseJsonPath(text));

describe('setting a payload', () => {
  test.each([
    ['adds and replaces members', '{"a":1,"b":{"x":1}}', '{"b":{"y":2},"c":3}', undefined, '{"a":1,"b":{"y":2},"c":3}'],
    ['removes members set to null', '{"a":1,"b":2}', '{"a":null,"zz":null}', undefined, '{"b":2}'],
    ['keeps nulls deeper inside', '{}', '{"a":{"b":null}}', undefined, '{"a":{"b":null}}'],
    ['keeps integers beyond 2^53', '{"a":18446744073709551615}', '{"b":1}', undefined, '{"a":18446744073709551615,"b":1}'],
    ['merges at a path', '{"a":{"b":{"x":1,"y":2}},"c":1}', '{"y":3,"z":4}', 'a.b', '{"a":{"b":{"x":1,"y":3,"z":4}},"c":1}'],
    ['removes at a path', '{"a":{"x":1,"y":2}}', '{"x":null}', 'a', '{"a":{"y":2}}'],
    ['creates objects on the way', '{}', '{"x":1}', 'a.b.c', '{"a":{"b":{"c":{"x":1}}}}'],
    ['puts an object in the place of a scalar', '{"a":5}', '{"x":1}', 'a', '{"a":{"x":1}}'],
    ['merges into each element', '{"a":[{"x":1},{"y":2}]}', '{"x":9}', 'a[]', '{"a":[{"x":9},{"y":2,"x":9}]}'],
    ['merges into one element', '{"a":[{"x":1},{"x":2}]}', '{"x":9}', 'a[1]', '{"a":[{"x":1},{"x":9}]}'],
    ['leaves an array that is too short alone', '{"a":[{"x":1}]}', '{"x":9}', 'a[3].b', '{"a":[{"x":1}]}'],
    ['creates an empty array', '{"b":1}', '{"x":9}', 'a[].c', '{"b":1,"a":[]}'],
    ['creates an empty array at the end of a path', '{}', '{"x":9}', 'nest[]', '{"nest":[]}'],
    ['creates an empty array inside of an object', '{}', '{"x":9}', 'a.b[0]', '{"a":{"b":[]}}'],
    ['replaces by an empty array what is none', '{"a":{"b":1}}', '{"x":9}', 'a[]', '{"a":[]}'],
    ['takes __proto__ as a name', '{"a":1}', '{"__proto__":{"polluted":1}}', undefined, '{"a":1,"__proto__":{"polluted":1}}'],
    ['takes __proto__ as a step', '{}', '{"polluted":1}', '__proto__', '{"__proto__":{"polluted":1}}'],
    [
      'takes constructor.prototype as steps',
      '{}',
      '{"polluted":1}',
      'constructor.prototype',
      '{"constructor":{"prototype":{"polluted":1}}}',
    ],
  ])('%s', (_title, before, patch, key, after) => {
    const original = payload(before);
    expect(stringifyJson(setPayload(original, payload(patch), path(key)))).toBe(after);
    expect(stringifyJson(original), 'the old payload is as it was').toBe(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('overwriting a payload', () => {
  test.each([
    ['replaces it whole', '{"a":1}', '{"b":null}', undefined, '{"b":null}'],
    ['replaces the object at a path', '{"a":{"x":1,"y":2},"b":3}', '{"z":0}', 'a', '{"a":{"z":0},"b":3}'],
    ['creates objects on the way', '{"b":3}', '{"z":0}', 'a.c', '{"b":3,"a":{"c":{"z":0}}}'],
  ])('%s', (_title, before, replacement, key, after) => {
    expect(stringifyJson(overwritePayload(payload(before), payload(replacement), path(key)))).toBe(after);
  });
});

describe('deleting payload keys', () => {
  test.each([
    ['removes members', '{"a":1,"b":2,"c":3}', ['a', 'c', 'missing'], '{"b":2}'],
    ['removes nested members', '{"a":{"b":1,"c":2}}', ['a.b'], '{"a":{"c":2}}'],
    ['leaves an emptied object', '{"a":{"b":1}}', ['a.b'], '{"a":{}}'],
    ['removes from each element', '{"a":[{"b":1,"c":2},{"b":3},4]}', ['a[].b'], '{"a":[{"c":2},{},4]}'],
    ['removes from one element', '{"a":[{"b":1},{"b":2}]}', ['a[1].b'], '{"a":[{"b":1},{}]}'],
    ['empties an array', '{"a":[1,2]}', ['a[]'], '{"a":[]}'],
    ['does not enter an array by name', '{"a":[{"b":1}]}', ['a.b'], '{"a":[{"b":1}]}'],
    ['removes a member named __proto__', '{"__proto__":{"x":1},"a":1}', ['__proto__'], '{"a":1}'],
    ['removes nothing for no keys', '{"a":1}', [], '{"a":1}'],
  ])('%s', (_title, before, keys, after) => {
    expect(stringifyJson(deletePayloadKeys(payload(before), parseDeletePaths(keys)))).toBe(after);
  });

  test.each([
    [['a', 'b..c'], 'keys[1]: expected a key at position 2'],
    [['a[0]'], 'keys[0]: a[0] is an element of an array'],
    [[''], 'keys[0]: expected a key at position 0'],
  ])('refuses %j', (keys, message) => {
    expect(() => parseDeletePaths(keys)).toThrow(message);
  });
});
