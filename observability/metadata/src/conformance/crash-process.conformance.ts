// SPDX-License-Identifier: Apache-2.0
/**
 * A process that is going to be killed. Arguments: `write` or `migrate`, then a location as JSON. It says on standard output, one line
 * each, what it has acknowledged.
 */
import { randomBytes } from 'node:crypto';
import { systemClock } from '@sextant/foundation-std';
import { migrate } from '../database/migration.ts';
import { type MetadataLocation, openDatabase } from '../database/open-database.ts';
import { nextVersion } from './next-version.conformance.ts';
import { ASSET, ENCRYPTION_KEY } from './samples.conformance.ts';

const [mode, argument = ''] = process.argv.slice(2);
// Written by the test that starts this process.
const location = JSON.parse(argument) as MetadataLocation;
await (mode === 'migrate' ? migrateSlowly() : writeForEver());

async function writeForEver(): Promise<void> {
  // Loading the stores takes longer than a migration, which needs none.
  const { openMetadata } = await import('../metadata.ts');
  await using metadata = await openMetadata(location, { clock: systemClock, randomBytes, encryptionKey: ENCRYPTION_KEY });
  const { assets } = metadata.forTenant('crash');
  for (;;) {
    const { id } = await assets.create(ASSET);
    process.stdout.write(`${id}\n`);
  }
}

async function migrateSlowly(): Promise<void> {
  const database = openDatabase(location);
  process.stdout.write('migrating\n');
  await migrate(database, nextVersion(location, 'slow'));
}
