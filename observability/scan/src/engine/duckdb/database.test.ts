// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { testLimits } from '../../testing/test-limits.ts';
import { lockDatabase, openDatabase, readRows } from './database.ts';

/** What the statements of tenants are searched for before they come here has no part in this. */
test('a locked database reaches the files of the asset and nothing else', async () => {
  await using directory = await temporaryDirectory();
  const asset = join(directory.path, 'asset.csv');
  const other = join(directory.path, 'other.csv');
  await writeFile(asset, 'id\n1\n');
  await writeFile(other, 'id\n2\n');
  const connection = await openDatabase({ ...testLimits(directory.path), spillDirectory: join(directory.path, 'spill') });
  try {
    await lockDatabase(connection, [asset]);
    expect(await readRows(connection, `SELECT id FROM read_csv('${asset}')`)).toEqual([[1n]]);
    for (const statement of [
      `SELECT * FROM read_csv('${other}')`,
      `SELECT * FROM read_text('/etc/hostname')`,
      `COPY (SELECT 1) TO '${other}'`,
      `ATTACH '${join(directory.path, 'other.db')}' AS other`,
      'LOAD httpfs',
      'SET enable_external_access = true',
      "SET memory_limit = '100GB'",
    ])
      await expect(connection.run(statement), statement).rejects.toThrow(
        /^(?:Permission Error|Invalid Input Error: Cannot change configuration)/,
      );
  } finally {
    connection.closeSync();
  }
});
