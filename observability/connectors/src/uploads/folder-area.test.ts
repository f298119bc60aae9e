// SPDX-License-Identifier: Apache-2.0
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openFolderArea } from './folder-area.ts';
import { body, uploadAreaConformance } from './upload-area.conformance.ts';

uploadAreaConformance('a folder', async (directory) => ({
  open: () => openFolderArea(directory),
  // Folders of owners stay.
  everything: async () => (await readdir(directory, { recursive: true })).filter((path) => path.includes('.')).toSorted(),
  [Symbol.asyncDispose]: async () => undefined,
}));

test('what a crash left unfinished can be removed, what was acknowledged or is still written stays', async () => {
  await using directory = await temporaryDirectory();
  const before = await openFolderArea(directory.path);
  const { id } = await before.receive('acme', body('id\n'), { name: 'a.csv', bytesMax: 99 });
  const [old, fresh] = ['old', 'fresh'].map((name) => join(directory.path, '.incoming', name));
  for (const path of [old, fresh]) await writeFile(path ?? '', 'id');
  await utimes(old ?? '', 1000, 1000);
  const after = await openFolderArea(directory.path);
  expect(await after.removeUnfinished(2_000_000)).toBe(1);
  expect(await readdir(join(directory.path, '.incoming'))).toEqual(['fresh']);
  expect(await after.removeUnfinished(Number.POSITIVE_INFINITY)).toBe(1);
  expect(await readdir(join(directory.path, 'acme'))).toEqual([id]);
});
