// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Row } from '../rows/row-source.ts';
import { type ColumnMapping, pointOfRow, RowFault } from './column-mapping.ts';

const USUAL: ColumnMapping = { vectors: [], text: [], cellsAreText: false, firstId: 0 };
const UUID = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

test.each<[string, Row, Partial<ColumnMapping>, object]>([
  ['a point as it was exported', { id: 7, vector: [1, 2], payload: { a: 1 } }, {}, { id: 7, vector: [1, 2], payload: { a: 1 } }],
  ['a row without an id has its number', { vector: [1] }, {}, { id: 4, vector: [1], payload: {} }],
  ['numbers may begin elsewhere', { vector: [1] }, { firstId: 100 }, { id: 104, vector: [1], payload: {} }],
  ['an id in text', { id: '18446744073709551615', vector: [1] }, {}, { id: 2n ** 64n - 1n, vector: [1], payload: {} }],
  [
    'a UUID in another column',
    { key: UUID.toUpperCase(), vector: [1], id: 'x' },
    { id: 'key' },
    { id: UUID, vector: [1], payload: { id: 'x' } },
  ],
  ['other columns are the payload', { id: 1, vector: [1], a: 'x', b: null }, {}, { id: 1, vector: [1], payload: { a: 'x', b: null } }],
  [
    'chosen columns are the payload',
    { id: 1, vector: [1], a: 1, b: 2 },
    { payload: ['b', 'c'] },
    { id: 1, vector: [1], payload: { b: 2 } },
  ],
  ['no payload', { id: 1, vector: [1], a: 1 }, { payload: [] }, { id: 1, vector: [1], payload: {} }],
  ['a vector in text', { id: 1, v: '[0.5, 1]' }, { vectors: [{ column: 'v' }] }, { id: 1, vector: [0.5, 1], payload: {} }],
  ['a typed array', { id: 1, vector: Float32Array.of(0.1) }, {}, { id: 1, vector: [0.1], payload: {} }],
  ['named vectors in one column', { id: 1, vector: { a: [1], b: [2] } }, {}, { id: 1, vector: { a: [1], b: [2] }, payload: {} }],
  [
    'named vectors in columns of their own',
    { id: 1, 'vector.a': [1], 'vector.b': [2] },
    {},
    { id: 1, vector: { a: [1], b: [2] }, payload: {} },
  ],
  ['a named vector', { id: 1, x: [1] }, { vectors: [{ name: 'a', column: 'x' }] }, { id: 1, vector: { a: [1] }, payload: {} }],
  [
    'components across columns',
    { label: '3', p1: '0', p2: '1.5' },
    { vectors: [{ column: 'p*' }], cellsAreText: true },
    { id: 4, vector: [0, 1.5], payload: { label: 3 } },
  ],
  ['a point that was exported without vectors', { id: '1', 'vector.a': null, 'vector.b': null }, {}, { id: 1, vector: {}, payload: {} }],
  [
    'a sparse vector',
    { id: 1, vector: { indices: [1, 5], values: [0.5, 1] } },
    {},
    { id: 1, vector: { indices: [1, 5], values: [0.5, 1] }, payload: {} },
  ],
  [
    'several vectors a point',
    {
      id: 1,
      vector: [
        [1, 2],
        [3, 4],
      ],
    },
    {},
    {
      id: 1,
      vector: [
        [1, 2],
        [3, 4],
      ],
      payload: {},
    },
  ],
  [
    'a payload in JSON text',
    { id: 1, vector: [1], payload: '{"big":18446744073709551615}' },
    {},
    { id: 1, vector: [1], payload: { big: 2n ** 64n - 1n } },
  ],
  [
    'times and bytes of tables',
    { id: 1, vector: [1], at: new Date(0), raw: Uint8Array.of(1), n: 5n },
    {},
    { id: 1, vector: [1], payload: { at: '1970-01-01T00:00:00.000Z', raw: 'AQ==', n: 5 } },
  ],
])('%s', (_, row, mapping, point) => {
  expect(pointOfRow(row, 4, { ...USUAL, ...mapping })).toEqual(point);
});

test('cells of text become what they mean, unless they are to stay text', () => {
  const row = {
    vector: '[1]',
    int: '12',
    float: '-1.5e3',
    zip: '00501',
    yes: 'true',
    text: 'x',
    list: '["a"]',
    big: '18446744073709551615',
    kept: '12',
    not: '[a]',
  };
  const { payload } = pointOfRow(row, 0, { ...USUAL, cellsAreText: true, text: ['kept'] });
  expect(payload).toEqual({
    int: 12,
    float: -1500,
    zip: '00501',
    yes: true,
    text: 'x',
    list: ['a'],
    big: 2n ** 64n - 1n,
    kept: '12',
    not: '[a]',
  });
});

test.each<[Row, Partial<ColumnMapping>, string]>([
  [{}, {}, 'has no vector; pass --vector with the column that holds it'],
  [{ vector: [1] }, { id: 'key' }, 'has no column key for its id'],
  [{ id: 'doc-1', vector: [1] }, {}, 'has the id doc-1; expected an integer'],
  [{ id: -1, vector: [1] }, {}, 'has the id -1'],
  [{ id: 1.5, vector: [1] }, {}, 'has the id 1.5'],
  [{ vector: [1, 'x'] }, {}, 'has no vector in vector: expected a list of finite numbers, such as [0.1, 0.2], got [1,"x"]'],
  [{ vector: [Number.NaN] }, {}, 'has no vector in vector'],
  [{ vector: [] }, {}, 'has no vector in vector'],
  [{ vector: 'nothing' }, {}, 'got nothing'],
  [{ v: null }, { vectors: [{ column: 'v' }] }, 'has no column v for its vector'],
  [{ a: 1 }, { vectors: [{ column: 'p*' }] }, 'has no column that matches p*'],
  [{ p1: '', p2: '1' }, { vectors: [{ column: 'p*' }] }, 'has no number in p1'],
  [
    { vector: { a: [1] } },
    { vectors: [{ name: 'b', column: 'vector' }] },
    'has several named vectors in vector, but --vector asks for one',
  ],
  [{ vector: [1], bad: Number.NaN }, {}, 'has a value in bad that JSON cannot represent (NaN)'],
])('%j is no point', (row, mapping, sentence) => {
  const attempt = () => pointOfRow(row, 0, { ...USUAL, ...mapping });
  expect(attempt).toThrow(RowFault);
  expect(attempt).toThrow(sentence);
});
