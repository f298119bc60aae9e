// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readAddress } from './address.ts';

const FIELDS = { q: 'text', sort: ['name', 'age'], desc: 'flag' } as const;

test.each([
  [
    { q: 'a b', sort: 'age', desc: true },
    { q: 'a b', sort: 'age', desc: true },
  ],
  [{ q: 17 }, { q: '17' }],
  [{ q: '', sort: 'size', desc: 'yes' }, {}],
  [{ q: { a: 1 }, sort: ['age'], desc: 1, other: 'x' }, {}],
])('of %j counts %j', (search, counted) => {
  expect(readAddress(search, FIELDS)).toStrictEqual(counted);
});
