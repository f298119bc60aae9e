// SPDX-License-Identifier: Apache-2.0
/** What becomes of a file whose source fails before anything is written: whoever writes it hears of that, and the process goes on. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, onTestFinished, test } from 'vitest';
import { writeStream } from './snapshot-archive.ts';

const GONE = new Error('the connection was reset');

test('a stream that fails before the file is open fails the writing', async () => {
  await using directory = await temporaryDirectory();
  const uncaught = watchUncaught();
  // Node.js gives no error to `uncaughtException` in the turn in which a file operation ends.
  await setImmediate();
  const stream = new Readable({ read: () => undefined });
  const writing = writeStream(join(directory.path, 'upload'), stream);
  stream.destroy(GONE);
  await expect(writing).rejects.toThrow(GONE);
  expect(uncaught).toEqual([]);
});

/** What would end a service, in the order in which it comes. */
function watchUncaught(): readonly unknown[] {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  return uncaught;
}
