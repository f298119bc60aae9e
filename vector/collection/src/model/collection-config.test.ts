// SPDX-License-Identifier: Apache-2.0
import type { VectorParams } from '@sextant/contracts-vector';
import { expect, test } from 'vitest';
import { isOnDisk } from './collection-config.ts';

const params = { size: 2, distance: 'Dot' } as const;

test.each<[Partial<VectorParams>, boolean]>([
  [{}, false],
  [{ on_disk: true }, true],
  [{ on_disk: false }, false],
  [{ memory: 'cold' }, true],
  [{ memory: 'cached' }, false],
  [{ memory: 'cold', on_disk: false }, true],
  [{ memory: 'cached', on_disk: true }, false],
  [{ memory: 'cold', datatype: 'uint8' }, false],
])('vectors with %j are on disk: %s', (form, expected) => {
  expect(isOnDisk({ ...params, ...form })).toBe(expected);
});
