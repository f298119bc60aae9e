// SPDX-License-Identifier: Apache-2.0
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { migrate } from './migration.ts';
import { openDatabase } from './open-database.ts';

test('a database of a version that no release has is refused, and left as it is', async () => {
  await using directory = await temporaryDirectory();
  const database = openDatabase({ directory: directory.path });
  await migrate(database);
  await database.kysely.updateTable('schema_version').set({ version: 15 }).execute();
  await expect(migrate(database)).rejects.toThrow('The metadata has schema version 15, which no release has.');
  expect(await database.kysely.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: 15 }]);
  await database.kysely.destroy();
});
