// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { AssetStatements } from './asset-statements.ts';

test('who asks how far an asset is may ask before it is open', async () => {
  await using directory = await temporaryDirectory();
  const statements = new AssetStatements({ onStuck: (reason) => expect.fail(reason) });
  expect(statements.progress()).toBeUndefined();
  const limits = { memoryBytes: 256 * 2 ** 20, temporaryBytes: 2 ** 20, threads: 1, spillDirectory: directory.path };
  let isOpen = false;
  const opened = statements.answer({ kind: 'empty', columns: [{ name: 'a', type: 'INTEGER' }], limits }).finally(() => {
    isOpen = true;
  });
  while (!isOpen) {
    statements.progress();
    await sleep(0);
  }
  await opened;
  statements.close();
});
