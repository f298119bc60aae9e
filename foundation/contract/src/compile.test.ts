// SPDX-License-Identifier: Apache-2.0
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { compile } from './compile.ts';
import { maybe, strict } from './schema.ts';

const definitions = {
  Tree: Type.Union([Type.Integer(), Type.Array(Type.Ref('Tree')), Type.Ref('Named')]),
  Named: strict({ name: Type.String(), tree: Type.Optional(Type.Ref('Tree')) }),
};
const tree = Type.Cyclic(definitions, 'Tree');

describe('a recursive schema', () => {
  test.each([[1], [[1, [2, []]]], [{ name: 'a' }], [{ name: 'a', tree: [{ name: 'b', tree: 3 }] }]])('lets %j through', (value) => {
    expect(compile(tree).check(value)).toBe(true);
  });

  test.each([['a'], [[1, ['2']]], [{}], [{ name: 'a', tree: [{ name: 'b', other: 3 }] }]])('refuses %j', (value) => {
    expect(compile(tree).check(value)).toBe(false);
  });

  test('may be a part of another, and be refined', () => {
    const short = Type.Refine(tree, (value) => !Array.isArray(value) || value.length < 3);
    const { check } = compile(strict({ one: short, other: maybe(tree) }));
    expect(check({ one: [1, 2], other: [1, 2, 3] })).toBe(true);
    expect(check({ one: [1, 2, 3] })).toBe(false);
    expect(check({ one: 1, other: 'a' })).toBe(false);
  });

  test('is checked alike when everything was compiled ahead', () => {
    const { check, prepare } = compile(strict({ tree: Type.Cyclic(definitions, 'Tree') }));
    prepare();
    expect(check({ tree: [{ name: 'a', tree: [1] }] })).toBe(true);
    expect(check({ tree: [{ name: 'a', tree: ['1'] }] })).toBe(false);
  });
});

test('the same name may mean different things in different schemas', () => {
  const numbers = Type.Cyclic({ List: Type.Array(Type.Union([Type.Number(), Type.Ref('List')])) }, 'List');
  const strings = Type.Cyclic({ List: Type.Array(Type.Union([Type.String(), Type.Ref('List')])) }, 'List');
  const { check } = compile(strict({ numbers, strings }));
  expect(check({ numbers: [1, [2]], strings: ['a', ['b']] })).toBe(true);
  expect(check({ numbers: [1, ['b']], strings: [] })).toBe(false);
});

describe('a part with a title', () => {
  const named = strict({ name: Type.String(), title: Type.Optional(Type.String()) }, { title: 'Named' });

  test('is checked wherever it stands, with its refinements', () => {
    const short = Type.Refine(named, ({ name }) => name.length < 3);
    const { check } = compile(strict({ first: named, others: Type.Array(Type.Union([named, Type.Null()])), short: maybe(short) }));
    expect(check({ first: { name: 'abc' }, others: [null, { name: 'b', title: 'B' }], short: { name: 'a' } })).toBe(true);
    expect(check({ first: { name: 1 }, others: [] })).toBe(false);
    expect(check({ first: { name: 'a' }, others: [{ name: 'b', other: 1 }] })).toBe(false);
    expect(check({ first: { name: 'a' }, others: [], short: { name: 'abc' } })).toBe(false);
  });

  test('may be the whole schema', () => {
    expect(['a', { name: 'a' }].map(compile(named).check)).toEqual([false, true]);
  });

  test('refers to the definitions around it, whichever these are', () => {
    const holder = strict({ held: Type.Ref('Held') }, { title: 'Holder' });
    const holding = (held: Type.TSchema) => Type.Cyclic({ Held: held, Root: holder }, 'Root');
    const { check } = compile(strict({ number: holding(Type.Number()), text: holding(Type.String()) }));
    expect(check({ number: { held: 1 }, text: { held: 'a' } })).toBe(true);
    expect(check({ number: { held: 'a' }, text: { held: 'a' } })).toBe(false);
    expect(check({ number: { held: 1 }, text: { held: 1 } })).toBe(false);
  });

  test('that refers to nothing is found when everything is compiled ahead', () => {
    const { prepare } = compile(strict({ part: strict({ a: Type.Ref('Nothing') }, { title: 'Part' }) }));
    expect(prepare).toThrow('the schema refers to Nothing');
  });
});

test('a member may be called $ref', () => {
  const { check } = compile(strict({ $ref: Type.String() }));
  expect(check({ $ref: 'a' })).toBe(true);
  expect(check({ $ref: 1 })).toBe(false);
});

test('a reference to nothing is a fault of the schema', () => {
  expect(() => compile(Type.Object({ a: Type.Ref('Nothing') }))).toThrow('the schema refers to Nothing');
});
