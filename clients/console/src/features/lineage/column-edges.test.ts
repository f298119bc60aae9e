// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { edgesOf, problemAt, sourceChoices, sourcesOf } from './column-edges.ts';

const total = { attribute: 'total', origin: 'VIEW', sources: [{ asset_id: 'a', attribute: 'price' }] } as const;

test('what is not changed is sent as it came', () => {
  expect(sourcesOf(edgesOf(total))).toEqual({ attribute: 'total', sources: total.sources });
  const odd = { attribute: 'x', origin: 'DBT', sources: [{ asset_id: 'a"', attribute: '["b",' }] } as const;
  expect(sourcesOf(edgesOf(odd)).sources).toEqual(odd.sources);
});

test('columns of the parents are offered once each, and sources that no scan has seen too', () => {
  const parents = [
    { id: 'a', name: 'orders', attributes: ['id', 'price'] },
    { id: 'b', name: 'fees', attributes: [] },
  ];
  const gone = { attribute: 'fee', origin: 'PERSON', sources: [{ asset_id: 'b', attribute: 'gone' }] } as const;
  const offered = sourceChoices(parents, [total, gone].map(edgesOf));
  expect(offered.map(({ group, items }) => [group, items.map(({ label }) => label)])).toEqual([
    ['orders', ['id', 'price']],
    ['fees', ['gone']],
  ]);
});

test('a column has a name, and each is listed once', () => {
  const columns = ['total', '', 'total'].map((attribute) => ({ attribute, sources: [] }));
  expect(columns.map((_, index) => problemAt(columns, index))).toEqual([undefined, 'Name the column', 'This column is listed already']);
});
