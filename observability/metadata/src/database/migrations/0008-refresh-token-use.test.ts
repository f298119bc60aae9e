// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { missingPostgres, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMetadata } from '../../metadata.ts';
import { MIGRATIONS, migrate } from '../migration.ts';
import { type MetadataLocation, openDatabase } from '../open-database.ts';

const BEFORE = 7;
const SOON = '2026-01-01T00:00:00.000Z';

test('refresh tokens that could be used still can, and those that were used are still recognised', async () => {
  await using directory = await temporaryDirectory();
  await keepsTokens({ directory: directory.path });
});

test.skipIf(missingPostgres() !== undefined)('refresh tokens stay what they were, in PostgreSQL', async () => {
  await using server = await temporaryPostgres();
  await keepsTokens({ databaseUrl: server.databaseUrl });
});

async function keepsTokens(location: MetadataLocation): Promise<void> {
  const database = openDatabase(location);
  await migrate(database, MIGRATIONS.slice(0, BEFORE));
  const insert = (statement: string) => sql.raw(statement).execute(database.kysely);
  await insert("insert into tenants (id, name, created_ms) values ('acme', 'Acme', 0)");
  await insert(
    "insert into users (tenant_id, id, email, email_key, first_name, last_name, role, password_hash, password_version, created_ms) values ('acme', 'u', 'ada@example.org', 'ada@example.org', '', '', 'viewer', null, 1, 0)",
  );
  for (const [hash, isUsed] of [
    ['fresh', 0],
    ['used', 1],
  ] as const) {
    await insert(
      `insert into refresh_tokens (token_hash, tenant_id, user_id, family, expires_ms, is_used) values ('${hash}', 'acme', 'u', '${hash}', ${Date.parse(SOON)}, ${isUsed})`,
    );
  }
  await database.kysely.destroy();

  const clock = manualClock(Date.parse(SOON) - 1000);
  await using metadata = await openMetadata(location, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  const { refreshTokens } = metadata.forTenant('acme');
  const rotate = (token_hash: string) =>
    refreshTokens.rotate({ token_hash, successor_hash: `next of ${token_hash}`, expires_at: SOON, grace_ms: 30_000 });
  expect(await rotate('fresh')).toEqual({ kind: 'rotated', user_id: 'u' });
  expect(await rotate('used')).toEqual({ kind: 'reused', user_id: 'u' });
}
