// SPDX-License-Identifier: Apache-2.0
/**
 * A log in a PostgreSQL database. The row of the head is locked by each append until its commit, so positions are committed in their order and no reader
 * meets a gap that is filled later; with one append at a time of many operations that costs one round trip and one sync. Who waits for entries is woken by
 * NOTIFY, and asks by itself where a message was lost.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@sextant/foundation-std';
import { DatabaseError, Pool, type PoolClient, types } from 'pg';
import {
  type Announcement,
  type LogDescription,
  type LogEntry,
  LogTruncatedError,
  type Member,
  type OperationLog,
} from './operation-log.ts';
import { Wakes } from './wakes.ts';

const ENTRY_BYTES_MAX = 32 * 1024 * 1024;
/** What is read at a time. */
const ENTRIES_READ_MAX = 256;
const BYTES_READ_MAX = 8 * 1024 * 1024;
const CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;
/** The object id of the type bigint, https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const BIGINT_OID = 20;
const UNIQUE_VIOLATION = '23505';
const CHANNEL = 'sextant_log';

const TABLES = `
  create table if not exists sextant_log (
    id uuid not null,
    first bigint not null,
    last bigint not null,
    only_row boolean primary key default true check (only_row)
  );
  create table if not exists sextant_log_entries (position bigint primary key, id uuid not null unique, entry bytea not null);
  -- What is appended is vectors, which do not compress.
  alter table sextant_log_entries alter column entry set storage external;
  create table if not exists sextant_log_members (
    node text primary key, address text not null, applied bigint not null, seen_at timestamptz not null
  );
  -- Earlier releases made the table without it.
  alter table sextant_log_members add column if not exists is_full boolean not null default false;
`;

const APPEND = `
  with head as (
    update sextant_log set last = last + 1 where not exists (select from sextant_log_entries where id = $1) returning last
  )
  insert into sextant_log_entries (position, id, entry) select last, $1, $2 from head
  returning position, pg_notify('${CHANNEL}', '')
`;

const READ = `
  select position, entry from (
    select position, entry, sum(octet_length(entry)) over (order by position) - octet_length(entry) as bytes_before from (
      select position, entry from sextant_log_entries where position > $1 order by position limit ${ENTRIES_READ_MAX}
    ) page
  ) sized where bytes_before < ${BYTES_READ_MAX} order by position
`;

const ANNOUNCE = `
  insert into sextant_log_members (node, address, applied, is_full, seen_at) values ($1, $2, $3, $4, now())
  on conflict (node) do update set
    address = excluded.address, applied = excluded.applied, is_full = excluded.is_full, seen_at = excluded.seen_at
`;

const MEMBERS = `
  select node, address, applied, is_full as "isFull", greatest(0, extract(epoch from now() - seen_at) * 1000)::float8 as "silentMs"
  from sextant_log_members order by node
`;

/** Opens the log of a database, and makes it there the first time. */
export async function openPostgresLog({ url, clock }: { readonly url: string; readonly clock: Clock }): Promise<OperationLog> {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sextant-log',
    types: {
      // Positions stay below 2^53.
      getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : types.getTypeParser(oid, format)),
    },
  });
  // A connection that breaks is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  try {
    await createTables(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return new PostgresLog(pool, clock);
}

async function createTables(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Nodes that start together make the tables one after the other.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('${CHANNEL}', 0))`);
    await client.query(TABLES);
    await client.query('insert into sextant_log (id, first, last) values ($1, 1, 0) on conflict do nothing', [randomUUID()]);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

class PostgresLog implements OperationLog {
  readonly entryBytesMax = ENTRY_BYTES_MAX;
  readonly #pool: Pool;
  readonly #wakes: Wakes;
  readonly #reads = new Set<Promise<unknown>>();
  #listening: Promise<PoolClient> | undefined;
  #closed = false;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#wakes = new Wakes(clock);
  }

  async describe(): Promise<LogDescription> {
    const { rows } = await this.#pool.query<LogDescription>('select id, first, last from sextant_log');
    const [row] = rows;
    if (row === undefined)
      throw new Error('the table sextant_log is empty, although the service never empties it: another program changed it');
    return row;
  }

  async append({ id, entry }: { readonly id: string; readonly entry: Uint8Array }): Promise<number> {
    const bytes = Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength);
    try {
      const { rows } = await this.#pool.query<{ position: number }>(APPEND, [id, bytes]);
      if (rows[0] !== undefined) return rows[0].position;
    } catch (error) {
      // The same entry came by another connection at the same time.
      if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
    }
    const { rows } = await this.#pool.query<{ position: number }>('select position from sextant_log_entries where id = $1', [id]);
    if (rows[0] === undefined) throw new Error(`the entry ${id} was truncated while it was appended again`);
    return rows[0].position;
  }

  async read(from: { readonly after: number; readonly waitMs: number }): Promise<readonly LogEntry[]> {
    const reading = this.#read(from);
    this.#reads.add(reading);
    try {
      return await reading;
    } finally {
      this.#reads.delete(reading);
    }
  }

  async truncate({ below }: { readonly below: number }): Promise<void> {
    const head = 'update sextant_log set first = greatest(first, least($1, last + 1)) returning first';
    await this.#pool.query(`with head as (${head}) delete from sextant_log_entries where position < (select first from head)`, [below]);
  }

  async announce({ node, address, applied, isFull }: Announcement): Promise<void> {
    await this.#pool.query(ANNOUNCE, [node, address, applied, isFull]);
  }

  async members(): Promise<readonly Member[]> {
    return (await this.#pool.query<Member>(MEMBERS)).rows;
  }

  async forget(node: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query('delete from sextant_log_members where node = $1', [node]);
    return rowCount === 1;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#wakes.all();
    // A query that waits for a connection would wait for nothing once the pool ends.
    await Promise.allSettled(this.#reads);
    const listening = await this.#listening?.catch(() => undefined);
    listening?.release(true);
    await this.#pool.end();
  }

  async #read({ after, waitMs }: { readonly after: number; readonly waitMs: number }): Promise<readonly LogEntry[]> {
    if (waitMs > 0) await this.#listen();
    // From here on nothing that is appended goes unnoticed.
    const woken = this.#wakes.next(waitMs);
    if (this.#closed) return [];
    const found = await this.#entries(after);
    if (found.length > 0 || waitMs <= 0 || this.#closed) return found;
    await woken;
    return this.#closed ? [] : this.#entries(after);
  }

  async #entries(after: number): Promise<readonly LogEntry[]> {
    const { rows } = await this.#pool.query<LogEntry>(READ, [after]);
    if (rows[0]?.position === after + 1) return rows;
    // Positions have no gaps: what should come next was truncated, or is still to come.
    const { first } = await this.describe();
    if (after + 1 < first) throw new LogTruncatedError({ after, first });
    return [];
  }

  /** Without a connection that listens, readers look again when their time is over. */
  async #listen(): Promise<void> {
    this.#listening ??= this.#newListener();
    await this.#listening;
  }

  async #newListener(): Promise<PoolClient> {
    const forgetIt = () => {
      this.#listening = undefined;
      this.#wakes.all();
    };
    try {
      const client = await this.#pool.connect();
      client.on('notification', () => this.#wakes.all());
      client.on('error', () => {
        forgetIt();
        client.release(true);
      });
      await client.query(`listen ${CHANNEL}`);
      return client;
    } catch (error) {
      forgetIt();
      throw error;
    }
  }
}
