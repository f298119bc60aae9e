// SPDX-License-Identifier: Apache-2.0
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { count, depthAtMost, jsonObject, maybe, notYet, oneOf, strict } from './schema.ts';
import { refusalOf } from './validate.ts';

const shape = Type.Union([
  strict({ type: Type.Literal('circle'), radius: Type.Number({ minimum: 0 }) }),
  strict({ type: Type.Literal('square'), side: count }),
]);
const order = strict({
  id: count,
  colour: maybe(oneOf('red', 'green')),
  shapes: Type.Optional(Type.Array(shape, { minItems: 1, maxItems: 2 })),
  labels: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String(), {
      additionalProperties: false,
      'x-names': 'letters only',
      maxProperties: 2,
    }),
  ),
  note: Type.Optional(Type.String({ maxLength: 3, pattern: '^\\S+$', 'x-expected': 'a word' })),
  extra: Type.Optional(jsonObject),
  sender: Type.Optional(strict({ name: Type.Optional(Type.String()) })),
  gift: Type.Optional(notYet('gift wrap')),
});

describe('a value that fits', () => {
  test.each([
    { id: 1 },
    { id: 1, colour: null, shapes: [{ type: 'circle', radius: 0.5 }] },
    { id: 1, labels: { a: 'x' }, note: 'abc', extra: { any: [{ thing: null }] } },
  ])('%j is let through', (value) => {
    expect(refusalOf(order, value, 'order')).toBeUndefined();
  });
});

describe('a value that does not fit', () => {
  test.each([
    [null, 'order: expected an object with `id`, got null'],
    [{}, 'order: required member `id` is missing'],
    [{ id: -1 }, 'id: expected an integer of at least 0, got -1'],
    [{ id: Number.POSITIVE_INFINITY }, 'id: expected an integer of at least 0, got a number that is too large'],
    [{ id: 1, colour: 'gren' }, 'colour: expected "red" or "green", got the string "gren"; did you mean \'green\'?'],
    [{ id: 1, color: 'red' }, "color: unknown member; did you mean 'colour'?"],
    [{ id: 1, zzz: 1 }, 'zzz: unknown member; expected one of id, colour, shapes, labels, note, extra, sender, gift'],
    [{ id: 1, sender: { zzz: 1 } }, 'sender.zzz: unknown member; expected name'],
    [{ id: 1, shapes: [] }, 'shapes: expected at least 1 item, got 0'],
    [{ id: 1, shapes: [{ type: 'circle' }] }, 'shapes[0]: required member `radius` is missing'],
    [{ id: 1, shapes: [{ type: 'cube', side: 1 }] }, 'shapes[0].type: expected "circle" or "square", got the string "cube"'],
    [{ id: 1, shapes: [{ side: 1 }] }, 'shapes[0]: required member `type` is missing; it is "circle" or "square"'],
    [{ id: 1, labels: { A: 'x' } }, 'labels.A: this name is not allowed: it must have letters only'],
    [{ id: 1, labels: { a: 1 } }, 'labels.a: expected a string, got 1'],
    [{ id: 1, labels: { a: '', b: '', c: '' } }, 'labels: expected at most 2 members, got 3'],
    [{ id: 1, note: 'abcd' }, 'note: must have at most 3 characters, got 4'],
    [{ id: 1, note: 'a b' }, 'note: expected a word, got the string "a b"'],
    [{ id: 1, extra: { a: Number.NEGATIVE_INFINITY } }, 'extra: holds a number beyond the range of double precision'],
    [{ id: 1, extra: nested(101) }, 'extra: nested deeper than 100 levels'],
    [{ id: 1, extra: nested(100_000) }, 'order: nested too deeply'],
  ])('%# is refused with its reason', (value, sentence) => {
    expect(refusalOf(order, value, 'order')).toEqual({ sentence, isNotYet: false });
  });

  test('because of a feature to come is marked as such', () => {
    expect(refusalOf(order, { id: 1, gift: true }, 'order')).toEqual({ sentence: 'gift: gift wrap', isNotYet: true });
  });

  test('is cut where it is long', () => {
    expect(refusalOf(order, { id: 'x'.repeat(1000) }, 'order')?.sentence.length).toBeLessThan(120);
  });
});

test('a depth counts objects and arrays', () => {
  expect([0, 1, 2].map((levels) => depthAtMost({ a: [1] }, levels))).toEqual([false, false, true]);
});

function nested(levels: number): object {
  let value = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}
