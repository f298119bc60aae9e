// SPDX-License-Identifier: Apache-2.0
import Type, { type TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { maybe, strict } from './schema.ts';
import { unknownMembers } from './unknown-members.ts';

const item = strict({ id: Type.Integer(), tags: maybe(Type.Array(Type.String())) });
const step = Type.Union([strict({ add: strict({ items: Type.Array(item) }) }), strict({ remove: Type.Array(Type.Integer()) })]);
const schema: TSchema = strict({
  items: Type.Optional(Type.Array(item)),
  steps: Type.Optional(Type.Array(step)),
  named: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), item, { additionalProperties: false })),
  free: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

test.each([
  [{ items: [{ id: 1, tags: ['a'] }] }, []],
  [
    {
      items: [
        { id: 1, odd: 1 },
        { id: 2, odd: { deep: 1 } },
      ],
      more: 1,
    },
    ['items[].odd', 'items[].odd', 'more'],
  ],
  [{ steps: [{ remove: [1] }, { add: { items: [{ id: 1, odd: 1 }], wait: true } }] }, ['steps[].add.items[].odd', 'steps[].add.wait']],
  [{ named: { a: { id: 1, odd: 1 }, NOT: { id: 1 } } }, ['named.a.odd']],
  [{ free: { anything: { goes: 1 } } }, []],
  [{ items: 'none', odd: 1 }, ['odd']],
  ['no object', []],
  [null, []],
])('of %j are %j', (value, paths) => {
  expect(unknownMembers(schema, value).map(({ path }) => path)).toEqual(paths);
});
