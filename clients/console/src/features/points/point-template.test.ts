// SPDX-License-Identifier: Apache-2.0
import { parseJson } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { pointTemplate } from './point-template.ts';

const dense = { name: '', size: 3, distance: 'Dot', kind: 'dense' } as const;

test.each([
  ['one vector without a name', [dense], [0, 0, 0]],
  ['a long one', [{ ...dense, size: 384 }], []],
  ['one with a name', [{ ...dense, name: 'a "title"' }], { 'a "title"': [0, 0, 0] }],
  [
    'several kinds',
    [dense, { ...dense, name: 'parts', kind: 'multi' }, { ...dense, name: 'words', size: 0, kind: 'sparse' }],
    { '': [0, 0, 0], parts: [[0, 0, 0]], words: { indices: [0], values: [1] } },
  ],
  ['no vector', [], {}],
] as const)('a point of %s', (_, fields, vector) => {
  expect(parseJson(pointTemplate(fields))).toEqual([{ id: 1, vector, payload: {} }]);
});
