// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { checkFolders, type FolderLayers } from './folders.ts';

const SRC = 'vector/shop/src';
const LAYERS: FolderLayers = { [SRC]: [['model', 'engine.ts'], ['reads', 'writes'], ['features/*'], ['app', 'index.ts']] };

/** One file with one import; the findings' texts. */
function findings(path: string, specifier: string, layers = LAYERS) {
  const files = [{ path: `${SRC}/${path}`, text: `import { x } from '${specifier}';\n` }];
  return checkFolders([{ name: 'shop', folder: 'vector/shop', dependencies: [], entries: [], files }], layers).map(
    ({ message }) => message,
  );
}

test.each([
  ['reads/count.ts', '../model/config.ts'],
  ['reads/count.ts', '../engine.ts'],
  ['reads/deep/count.ts', '../plan.ts'],
  ['features/points/list.tsx', './row.tsx'],
  ['features/points/list.tsx', '../../reads/count.ts'],
  ['index.ts', './features/points/list.tsx'],
  ['reads/count.ts', 'node:fs'],
  ['reads/count.ts', '@sextant/vector-kernel'],
  ['model/config.test.ts', '../app/main.ts'],
])('%s may import %s', (path, specifier) => {
  expect(findings(path, specifier)).toEqual([]);
});

test.each([
  ['model/config.ts', '../reads/count.ts', 'reads is not below model'],
  ['model/config.ts', '../engine.ts', 'engine.ts is not below model'],
  ['reads/count.ts', '../writes/queue.ts', 'writes is not below reads'],
  ['features/points/list.tsx', '../assets/list.tsx', 'features/assets is not below features/points'],
  ['features/points/list.tsx', '../../app/services.ts', 'app is not below features/points'],
  ['app/shell.tsx', '../index.ts', 'index.ts is not below app'],
])('%s must not import %s', (path, specifier, message) => {
  expect(findings(path, specifier)).toEqual([expect.stringContaining(message)]);
});

test.each(['stray.ts', 'features/stray.ts', 'elsewhere/stray.ts'])('%s has no place', (path) => {
  expect(findings(path, './x.ts')).toEqual([expect.stringContaining('has no place')]);
});

test('a folder of the table that is gone', () => {
  expect(findings('model/config.ts', './x.ts', { ...LAYERS, 'vector/gone/src': [] })).toEqual([expect.stringContaining('has no files')]);
});
