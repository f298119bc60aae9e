// SPDX-License-Identifier: Apache-2.0
/** However many jobs wait and have ended, taking the next one reads a few of them. */
import { randomBytes } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { credentialCipher } from '../database/credential-cipher.ts';
import { openDatabase } from '../database/open-database.ts';
import { jobQueue } from '../platform/job-queue.ts';
import type { Fixture } from './engines.conformance.ts';
import { looksInto, QueryRecorder } from './query-plans.conformance.ts';
import { ASSET, ENCRYPTION_KEY } from './samples.conformance.ts';

/** PostgreSQL is not asked for its plans. */
const WAITING = { ofSqlite: 30, ofPostgresql: 4 };
const CLAIM = { worker: 'test', leaseMs: 60_000 };

export function longQueueSuite({ clock, location, tenant }: Fixture): void {
  test('jobs of a long queue are taken oldest first, one of each asset, by indexes of those that have not ended', async () => {
    const own = await tenant();
    const expected: string[] = [];
    for (let index = 0; index < WAITING['databaseUrl' in location() ? 'ofPostgresql' : 'ofSqlite']; index += 1) {
      const { id: asset_id } = await own.assets.create({ ...ASSET, name: `table ${index}` });
      const { id } = await own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'refuse' });
      expected.push(id);
      await own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'wait' });
      clock.advance(1);
    }
    const database = openDatabase(location());
    try {
      const recorder = new QueryRecorder();
      const kysely = database.kysely.withPlugin(recorder);
      const cipher = credentialCipher(ENCRYPTION_KEY);
      const queue = jobQueue({ database: { ...database, kysely }, db: kysely, clock, randomBytes, cipher });
      const taken: string[] = [];
      // Other tests have left jobs of other tenants, which have their turns.
      for (let claimed = await queue.claimNext(CLAIM); claimed !== undefined; claimed = await queue.claimNext(CLAIM)) {
        if (claimed.tenant_id === own.tenantId) taken.push(claimed.job.id);
      }
      expect(taken).toEqual(expected);
      // Which index PostgreSQL takes for so few rows says nothing of many.
      if ('databaseUrl' in location()) return;
      const looks = new Set<string>();
      // A part of a query is recorded too; it cannot be asked by itself.
      const isWhole = ({ sql }: CompiledQuery) =>
        /^\s*(select|with)/.test(sql) && (!sql.includes('"tenants"."id"') || sql.includes('from "tenants"'));
      for (const query of recorder.compiled(database.kysely).filter(isWhole)) {
        for (const look of await looksInto(database.kysely, query, { tables: ['jobs', 'other'], isPostgresql: false })) looks.add(look);
      }
      expect([...looks].filter((look) => !/INDEX jobs_open(_by_asset)? /.test(look))).toEqual([]);
      expect(looks.size).toBeGreaterThan(0);
    } finally {
      await database.kysely.destroy();
    }
  });
}
