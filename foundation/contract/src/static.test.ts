// SPDX-License-Identifier: Apache-2.0
import Type from 'typebox';
import { expectTypeOf, test } from 'vitest';
import { jsonObjectOf, maybe, notYet, oneOf, strict } from './schema.ts';
import type { Static } from './static.ts';

test('members are readonly, and those that may be absent are optional', () => {
  const schema = strict({ id: Type.Integer(), name: maybe(Type.String()), kind: Type.Optional(oneOf('a', 'b')) });
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<{ readonly id: number; readonly name?: string | null; readonly kind?: 'a' | 'b' }>();
});

test('arrays and maps are readonly at every depth', () => {
  const schema = Type.Array(Type.Object({ tags: Type.Record(Type.String(), Type.Array(Type.Null())) }));
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<readonly { readonly tags: { readonly [name: string]: readonly null[] } }[]>();
});

test('a refined schema has the type of its values', () => {
  const schema = Type.Refine(Type.Array(Type.Number()), (items) => items.length > 0);
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<readonly number[]>();
});

test('a part of some members, all optional, is readonly too', () => {
  const schema = Type.Partial(Type.Pick(strict({ a: Type.Number(), b: Type.Boolean() }), ['a']));
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<{ readonly a?: number }>();
});

test('what is to come has no values', () => {
  const schema = Type.Union([Type.BigInt(), notYet('texts', Type.String())]);
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<bigint>();
});

test('free objects hold anything', () => {
  const schema = jsonObjectOf();
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<{ readonly [name: string]: unknown }>();
});
