// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { engineOnThread } from '../../testing/engine-on-thread.ts';
import { writeParquet } from '../../testing/parquet-writer.ts';
import { fileSource } from '../../testing/table-files.ts';
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

test('a small table is measured by one thread, and one of many rows or bytes by all', async () => {
  await using directory = await temporaryDirectory();
  const threadsOf = async (path: string) => {
    await using source = await fileSource(path);
    await using engine = await engineOnThread(source, directory.path);
    const [[threads] = []] = await engine.query("SELECT CAST(current_setting('threads') AS INTEGER)");
    return threads;
  };
  const csv = async (rows: number, value: string) => {
    const path = join(directory.path, `${rows}.csv`);
    await writeFile(path, `v\n${`${value}\n`.repeat(rows)}`);
    return path;
  };
  const packed = join(directory.path, 'packed.parquet');
  await writeParquet('SELECT 1 AS v FROM range(5000)', packed);
  const found = [await csv(4, 'x'), await csv(5000, 'x'), await csv(300, 'x'.repeat(1000)), packed];
  expect(await Promise.all(found.map(threadsOf))).toEqual([1, 2, 2, 2]);
});
