// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { createCollectionStorage, openCollectionStorage } from './collection-storage.ts';

const WRITER = fileURLToPath(new URL('./fixture/full-disk-writer.ts', import.meta.url));
/** In blocks of 512 or 1024 bytes, as the shell has it. */
const FILE_BLOCKS_MAX = 12_000;

test('[S16] a write for which the disk has no room throws, leaves nothing, and the store goes on', async () => {
  await using scratch = await temporaryDirectory();
  const directory = `${scratch.path}/collection`;
  createCollectionStorage({ directory }).close();
  const script = `ulimit -f ${FILE_BLOCKS_MAX} && exec "$0" "$@"`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, WRITER, directory]);
  const report = JSON.parse(stdout);
  expect(report.failure).toMatchObject({ name: 'StorageError', hasCause: true });
  expect(report.failure.message).toContain('cannot write to data.mdb');
  expect(report.failure.message).toContain('disk is full');
  expect(report.again).toEqual(report.failure);
  expect(report.writer.batches).toBeGreaterThan(5);
  expect(report.writer.whole).toBe(true);
  expect(report.seenByReader).toEqual(report.writer);
  expect(report.small).toBe('still fits');

  const reopened = openCollectionStorage({ directory });
  expect(reopened.sequence).toBe(report.writer.batches);
  expect(reopened.document('small')).toBe('still fits');
  reopened.close();
});
