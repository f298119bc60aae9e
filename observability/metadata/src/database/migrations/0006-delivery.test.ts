// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { missingPostgres, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openMetadata } from '../../metadata.ts';
import { MIGRATIONS, migrate } from '../migration.ts';
import { type MetadataLocation, openDatabase } from '../open-database.ts';

const BEFORE = 5;
const URLS = ['https://example.org/a', 'https://example.org/"b\\c"'];

test('webhooks that waited before wait still, in their order', async () => {
  await using directory = await temporaryDirectory();
  await movesWebhooks({ directory: directory.path });
});

test.skipIf(missingPostgres() !== undefined)('webhooks that waited before wait still, in PostgreSQL', async () => {
  await using server = await temporaryPostgres();
  await movesWebhooks({ databaseUrl: server.databaseUrl });
});

async function movesWebhooks(location: MetadataLocation): Promise<void> {
  const database = openDatabase(location);
  await migrate(database, MIGRATIONS.slice(0, BEFORE));
  const insert = (statement: string) => sql.raw(statement).execute(database.kysely);
  await insert("insert into tenants (id, name, created_ms) values ('acme', 'Acme', 0)");
  for (const [index, url] of URLS.entries()) {
    const values = `'acme', 'w${index}', '${url}', '{"jobId":"a${index}"}', 2, ${index}, 0, 'status 500'`;
    await insert(
      `insert into webhook_deliveries (tenant_id, id, url, body, attempts, created_ms, next_attempt_ms, last_error) values (${values})`,
    );
  }
  await database.kysely.destroy();

  await using metadata = await openMetadata(location, { clock: manualClock(1000), randomBytes, encryptionKey: new Uint8Array(32) });
  const { deliveries } = metadata.forTenant('acme');
  expect(await deliveries.list()).toMatchObject([
    { id: 'w1', kind: 'JOB_WEBHOOK', status: 'PENDING', attempts: 2, last_error: 'status 500' },
    { id: 'w0' },
  ]);
  const claimed = await metadata.platform.deliveries.claim({ limit: 10, perTarget: 10, busy: [], leaseMs: 1000 });
  expect(claimed.map(({ payload }) => payload)).toEqual(URLS.map((url, index) => ({ url, body: { jobId: `a${index}` } })));
  const next = {
    kind: 'TICKET',
    dedup_key: null,
    lane: 'x',
    target: 'x',
    recipient: 'x',
    incident_id: null,
    channel: null,
    payload: {},
  } as const;
  await deliveries.enqueue(next);
  expect((await deliveries.list()).map(({ kind }) => kind)).toEqual(['TICKET', 'JOB_WEBHOOK', 'JOB_WEBHOOK']);
}
