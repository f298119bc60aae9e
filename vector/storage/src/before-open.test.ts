// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openSmallDisk, smallDiskProblem, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { createCollectionStorage, openCollectionStorage } from './collection-storage.ts';
import { StorageError } from './storage-error.ts';

const OPENER = fileURLToPath(new URL('./fixture/few-descriptors.ts', import.meta.url));
const MIB = 1024 * 1024;
const problem = smallDiskProblem();

test.skipIf(process.platform !== 'linux')('[S23] with no file descriptor left a store is refused, and the process lives', async () => {
  await using scratch = await temporaryDirectory();
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, OPENER, scratch.path]);
  const { opened, failure, reopened } = JSON.parse(stdout);
  expect(opened).toBeGreaterThan(3);
  expect(failure).toMatchObject({ name: 'StorageError', cause: 'EMFILE' });
  expect(reopened).toBe(true);
});

test.skipIf(problem !== undefined)('[S23] on a full disk a store is not created, and nothing of it is left open', () => {
  using disk = openSmallDisk(2 * MIB);
  disk.fill(64 * 1024);
  expect(() => createCollectionStorage({ directory: `${disk.path}/collection` })).toThrow(StorageError);
  expect(readdirSync(`${disk.path}/collection`)).toEqual([]);
  disk.empty();
  createCollectionStorage({ directory: `${disk.path}/collection` }).close();
});

test.skipIf(problem !== undefined)('[S16] a store opens, and is read, on a full disk', () => {
  using disk = openSmallDisk(2 * MIB);
  const directory = `${disk.path}/collection`;
  createCollectionStorage({ directory }).close();
  disk.fill();
  const storage = openCollectionStorage({ directory });
  expect(storage.pointCount).toBe(0);
  storage.close();
});

test('the first pages of the lock file have room on the disk from the beginning', async () => {
  await using scratch = await temporaryDirectory();
  createCollectionStorage({ directory: `${scratch.path}/collection` }).close();
  const { blocks } = statSync(`${scratch.path}/collection/data.mdb-lock`);
  expect(blocks * 512).toBeGreaterThanOrEqual(16_384);
});
