/** What every store works with. */
import type { Clock } from '@sextant/foundation-std';
import type { Kysely, Transaction } from 'kysely';
import type { CredentialCipher } from './credential-cipher.ts';
import type { MetadataDatabase } from './database.ts';
import type { Schema } from './schema.ts';

/** The database itself or a transaction on it: what a query runs on. */
export type Queries = Kysely<Schema>;

export type PlatformScope = {
  readonly database: MetadataDatabase;
  readonly db: Queries;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly cipher: CredentialCipher;
};

export type TenantScope = PlatformScope & {
  readonly tenantId: string;
  /**
   * Runs a transaction. Those of one tenant run one after another, on PostgreSQL too, so that a check holds until the commit.
   * Inside, queries go through the transaction: through `db` they would wait for it for ever.
   */
  readonly write: <Result>(run: (transaction: Transaction<Schema>) => Promise<Result>) => Promise<Result>;
};

export function tenantScope(platform: PlatformScope, tenantId: string): TenantScope {
  const { database } = platform;
  return {
    ...platform,
    tenantId,
    write: (run) =>
      database.kysely.transaction().execute(async (transaction) => {
        await database.lock(transaction, `tenant ${tenantId}`);
        return run(transaction);
      }),
  };
}

/** As many numbers in a row as are asked for; returns the first. They begin at 1. */
export async function takeNumbers(db: Queries, tenantId: string, kind: string, count = 1): Promise<number> {
  const { next } = await db
    .insertInto('counters')
    .values({ tenant_id: tenantId, kind, next: 1 + count })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'kind']).doUpdateSet((row) => ({ next: row('counters.next', '+', count) })))
    .returning('next')
    .executeTakeFirstOrThrow();
  return next - count;
}

/** Both databases bound the parameters of a statement, SQLite at 32,766 (https://www.sqlite.org/limits.html). */
const PARAMETERS_MAX = 30_000;

export async function insertAll<Table extends keyof Schema>(db: Queries, table: Table, rows: readonly Schema[Table][]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  if (columns === 0) return;
  const batch = Math.floor(PARAMETERS_MAX / columns);
  for (let start = 0; start < rows.length; start += batch) {
    // Kysely's insert type of a table without defaults is the row itself, which it cannot see through the type parameter.
    await db
      .insertInto(table)
      .values(rows.slice(start, start + batch) as never)
      .execute();
  }
}
