import { maybe, notYet, oneOf, queryFlag, queryInteger, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { createTypeWriter } from './type-writer.ts';

const count = queryInteger({ minimum: 0, maximum: 99 });

test.each<[string, object, string]>([
  ['a text', Type.String(), 'string'],
  ['words', oneOf('a', "b'c"), "'a' | 'b\\'c'"],
  ['an integer', Type.Integer(), 'number'],
  ['a large one', Type.Union([Type.Integer(), Type.BigInt()]), 'number | bigint'],
  ['a list', Type.Array(Type.Union([Type.String(), Type.Null()])), 'readonly (string | null)[]'],
  ['anything', Type.Union([Type.Unknown(), Type.Null()]), 'unknown'],
  ['a map', Type.Record(Type.String(), Type.Number()), '{ readonly [name: string]: number }'],
  ['free JSON', Type.Record(Type.String(), Type.Unknown()), 'JsonObject'],
  ['nothing', strict({}), '{ readonly [name: string]: never }'],
  [
    'members',
    strict({ a: Type.String(), 'b-c': maybe(Type.Boolean()) }),
    "{\n  readonly a: string;\n  readonly 'b-c'?: boolean | null | undefined;\n}",
  ],
  ['what is to come is left out', strict({ a: Type.Number(), b: maybe(notYet('b')) }), '{\n  readonly a: number;\n}'],
  ['of a union, too', Type.Union([Type.Number(), notYet('texts', Type.String())]), 'number'],
  ['a digit of a query string is text to JSON', count, 'string'],
])('%s', (_name, schema, type) => {
  expect(createTypeWriter().write(schema)).toBe(type);
});

test('members of a query string are what their text stands for', () => {
  expect(createTypeWriter().write(strict({ limit: count, wait: Type.Optional(queryFlag) }), 'query')).toBe(
    '{\n  readonly limit: number;\n  readonly wait?: boolean | undefined;\n}',
  );
});

test('a schema with a title is a type of that name, written once; those that it holds are, too', () => {
  const point = Type.Object({ id: Type.Number() }, { title: 'Point', description: 'One of many.' });
  const writer = createTypeWriter();
  expect(writer.write(Type.Array(point))).toBe('readonly Point[]');
  writer.write(strict({ point }, { title: 'Holder' }));
  expect(writer.declarations().map(({ text }) => text)).toEqual([
    'export type Holder = {\n  readonly point: Point;\n};',
    '/** One of many. */\nexport type Point = {\n  readonly id: number;\n};',
  ]);
});

test('a schema that holds itself is a type that does', () => {
  const tree = Type.Cyclic({ Tree: Type.Object({ leaves: Type.Array(Type.Ref('Tree')) }) }, 'Tree');
  const writer = createTypeWriter();
  expect(writer.write(tree)).toBe('Tree');
  expect(writer.declarations()).toEqual([{ name: 'Tree', text: 'export type Tree = {\n  readonly leaves: readonly Tree[];\n};' }]);
});
