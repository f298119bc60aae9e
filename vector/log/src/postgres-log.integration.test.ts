// SPDX-License-Identifier: Apache-2.0
import { systemClock } from '@sextant/foundation-std';
import { missingPostgres, type TemporaryPostgres, temporaryPostgres } from '@sextant/foundation-testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeOperationLog } from './operation-log.conformance.ts';
import { openPostgresLog } from './postgres-log.ts';

const missing = missingPostgres();

describe.skipIf(missing !== undefined)(missing ?? 'on a server of its own', () => {
  let server: TemporaryPostgres;
  let databases = 0;
  beforeAll(async () => {
    server = await temporaryPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Of logs that have ended: emptying one takes less than making one. */
  const free: string[] = [];
  const emptyDatabase = async () => {
    const url = free.pop();
    if (url === undefined) {
      databases += 1;
      return server.createDatabase(`log${databases}`);
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('drop schema public cascade; create schema public');
    await client.end();
    return url;
  };

  describeOperationLog('PostgreSQL', async () => {
    const url = await emptyDatabase();
    return { open: () => openPostgresLog({ url, clock: systemClock }), [Symbol.asyncDispose]: async () => void free.push(url) };
  });

  test('[L8] after its connections were cut, the log goes on', async () => {
    const url = await emptyDatabase();
    const log = await openPostgresLog({ url, clock: systemClock });
    // It may be cut before anybody waits for it.
    const waiting = log.read({ after: 0, waitMs: 60_000 }).catch(() => []);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const cut =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sextant-log' and datname = current_database()";
    // Until the reader listens, there is nothing to cut.
    await expect.poll(async () => (await other.query(cut)).rowCount).toBeGreaterThan(0);
    await waiting;
    await expect.poll(() => log.append({ id: crypto.randomUUID(), entry: Uint8Array.of(7) }).catch(() => 0)).toBeGreaterThan(0);
    expect((await log.read({ after: 0, waitMs: 0 }))[0]?.entry).toEqual(Buffer.of(7));
    await other.end();
    await log.close();
  });

  test('[L8] a server that is not there is an error, not a wait', async () => {
    const url = server.databaseUrl.replace(`:${server.port}/`, ':1/');
    await expect(openPostgresLog({ url, clock: systemClock })).rejects.toThrow('ECONNREFUSED');
  });
});
