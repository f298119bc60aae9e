// SPDX-License-Identifier: Apache-2.0
/** PostgreSQL behind the same interface: a bounded pool, and numbers as numbers. */
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import { type ClientBase, Pool, types } from 'pg';
import { MetadataRefused } from '../errors.ts';
import { hasNul, type MetadataDatabase, NUL_REFUSED } from './database.ts';
import type { Schema } from './schema.ts';

const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** As long as the lease of a job. Between two statements of a transaction nobody is waited for, so that a process that is silent within one stands still. */
const SILENCE_MS_MAX = 30_000;
/** The object id of the type bigint, https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const BIGINT_OID = 20;

export function openPostgresql(databaseUrl: string): MetadataDatabase {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sextant-observability',
    types: {
      // Our bigints are times, counts and sizes, all below 2^53.
      getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : types.getTypeParser(oid, format)),
    },
  });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  return {
    kysely: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: guarded(pool) }) }),
    lock: async (transaction, name) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`sextant ${name}`}, 0))`.execute(transaction);
    },
    taking: (query) => query.forUpdate().skipLocked(),
    holding: (query) => query.forUpdate(),
    contains: (column, text) => sql<boolean>`strpos(${sql.ref(column)}, ${text}) > 0`,
  };
}

/**
 * A process that stands still within a transaction would hold its locks, and with them the tenant or the queue, from all others. A limit that the
 * server, the role or the URL sets stands.
 */
async function prepare(client: ClientBase): Promise<void> {
  // The query that runs or comes next hears of it, and the transaction fails with it; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.query(
    "select set_config(name, $1, false) from pg_settings where name = 'idle_in_transaction_session_timeout' and setting = '0'",
    [`${SILENCE_MS_MAX}`],
  );
}

/** Prepares each connection once, and refuses text that PostgreSQL cannot hold before it is sent, with the sentence that SQLite's side gives. */
function guarded(pool: Pool): PostgresPool {
  const prepared = new WeakSet<ClientBase>();
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      if (!prepared.has(client)) {
        try {
          await prepare(client);
        } catch (error) {
          client.release(true);
          throw error;
        }
        prepared.add(client);
      }
      const query = (text: string, parameters: readonly unknown[]) => {
        if (hasNul(parameters)) return Promise.reject(new MetadataRefused(NUL_REFUSED));
        return client.query(text, [...parameters]);
      };
      // Kysely's type also lists a call with a cursor, which nothing here makes, and which the compiler therefore misses.
      return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
    },
  };
}
