// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { createCollectionStorage } from '@sextant/vector-storage';
import { expect, test } from 'vitest';
import { silentLog } from '../model/log.ts';
import { importSnapshot } from './import-snapshot.ts';

/** The data file of a collection that has a point, which is sound but for its configuration. */
async function dataFile(directory: string): Promise<string> {
  const storage = createCollectionStorage({ directory: join(directory, 'original') });
  storage.write((transaction) => {
    const version = transaction.nextSequence();
    transaction.putDocument('config', {});
    transaction.putPoint(0, { id: 1, version, vectorVersion: version, payload: '{}' });
  });
  const file = join(directory, 'data.mdb');
  await storage.copy(file);
  storage.close();
  return file;
}

test('an import that takes more memory than it may is ended and refused', async () => {
  await using directory = await temporaryDirectory();
  const task = { file: await dataFile(directory.path), directory: join(directory.path, 'new'), part: 'whole' } as const;
  const { signal } = new AbortController();
  await expect(importSnapshot(task, { clock: systemClock, log: silentLog, signal, memoryBytesMax: 1 })).rejects.toMatchObject({
    code: 'snapshot_invalid',
    message: expect.stringContaining('reading the file takes more than 1 bytes of memory'),
  });
  expect(existsSync(task.directory)).toBe(false);
});

test('an import that is aborted ends at once, with the reason', async () => {
  await using directory = await temporaryDirectory();
  const task = { file: await dataFile(directory.path), directory: join(directory.path, 'new'), part: 'whole' } as const;
  const controller = new AbortController();
  const running = importSnapshot(task, { clock: systemClock, log: silentLog, signal: controller.signal });
  controller.abort(new Error('it took too long'));
  await expect(running).rejects.toThrow('it took too long');
  expect(existsSync(task.directory)).toBe(false);
});
