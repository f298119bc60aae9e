// SPDX-License-Identifier: Apache-2.0
/** What every store works with. */
import type { Clock } from '@sextant/foundation-std';
import type { Insertable, Kysely, KyselyPlugin, Transaction } from 'kysely';
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

/** What selects, changes and deletes rows of one tenant, and no others. */
export type OwnRows = Pick<Queries, 'selectFrom' | 'updateTable' | 'deleteFrom'>;

export type TenantScope = PlatformScope & {
  readonly tenantId: string;
  /** The tenant's rows, in the database or in a transaction. */
  readonly own: (queries: Queries) => OwnRows;
  /**
   * Runs a transaction. Those of one tenant run one after another, on PostgreSQL too, so that a check holds until the commit.
   * Inside, queries go through the transaction: through `db` they would wait for it for ever.
   */
  readonly write: <Result>(run: (transaction: Transaction<Schema>) => Promise<Result>) => Promise<Result>;
  /** Runs one transaction whose scope any number of stores can share; within such a scope, joins its transaction. */
  readonly atomically: <Result>(run: (scope: TenantScope) => Promise<Result>) => Promise<Result>;
};

export function tenantScope(platform: PlatformScope, tenantId: string): TenantScope {
  const { database } = platform;
  const identity = { tenantId, own: (queries: Queries) => ownRows(queries, tenantId) };
  const write: TenantScope['write'] = (run) =>
    database.kysely.transaction().execute(async (transaction) => {
      await database.lock(transaction, `tenant ${tenantId}`);
      return run(transaction);
    });
  return {
    ...platform,
    ...identity,
    write,
    atomically: (run) => write((transaction) => runShared({ ...platform, ...identity }, transaction, run)),
  };
}

/**
 * Lends the transaction to a scope. A write that fails inside dooms the whole, also when its error is caught there: of a write that is
 * half done nothing may stay.
 */
async function runShared<Result>(
  platform: PlatformScope & Pick<TenantScope, 'tenantId' | 'own'>,
  transaction: Transaction<Schema>,
  run: (scope: TenantScope) => Promise<Result>,
): Promise<Result> {
  const loan = new Loan();
  const db = transaction.withPlugin(loan);
  const failures: unknown[] = [];
  const joined = async <Part>(part: () => Promise<Part>): Promise<Part> => {
    try {
      return await part();
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const scope: TenantScope = {
    ...platform,
    db,
    write: (inner) => joined(() => inner(db)),
    atomically: (inner) => joined(() => inner(scope)),
  };
  try {
    const result = await run(scope);
    if (failures.length > 0) throw failures[0];
    return result;
  } finally {
    loan.isOver = true;
  }
}

/** Refuses statements after the end: on their connection they would run within somebody else's transaction, or within none. */
class Loan implements KyselyPlugin {
  isOver = false;

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]): ReturnType<KyselyPlugin['transformQuery']> {
    if (this.isOver) throw new Error('the transaction has ended');
    return node;
  }

  transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]): ReturnType<KyselyPlugin['transformResult']> {
    return Promise.resolve(result);
  }
}

/** Brings the condition of the tenant, so that no query can forget it; a subquery of another table names the tenant itself. */
export function ownRows(queries: Queries, tenantId: string): OwnRows {
  const column = (table: string) => `${table.split(' as ').at(-1)}.tenant_id` as 'assets.tenant_id';
  const own = {
    selectFrom: (table: 'assets') => queries.selectFrom(table).where(column(table), '=', tenantId),
    updateTable: (table: 'assets') => queries.updateTable(table).where(column(table), '=', tenantId),
    deleteFrom: (table: 'assets') => queries.deleteFrom(table).where(column(table), '=', tenantId),
  };
  // One table stands for all, as all have the column; Kysely's types follow the name that a caller gives.
  return own as unknown as OwnRows;
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

type PutRow<Row> = { readonly key: Partial<Row>; readonly columns: Partial<Row>; readonly ofNew?: Partial<Row> };

/** Changes the row with this key, which is its primary key, or writes a new one with `ofNew` beside the columns. */
export async function putRow<Table extends keyof Schema>(
  db: Queries,
  table: Table,
  { key, columns, ofNew = {} }: PutRow<Schema[Table]>,
): Promise<void> {
  // Kysely's types of one table cannot be seen through the type parameter.
  await db
    .insertInto(table)
    .values({ ...key, ...columns, ...ofNew } as never)
    .onConflict((conflict) => conflict.columns(Object.keys(key) as never).doUpdateSet(columns as never))
    .execute();
}

/** Both databases bound the parameters of a statement, SQLite at 32,766 (https://www.sqlite.org/limits.html). */
const PARAMETERS_MAX = 30_000;

/** Every row names the same columns; those that may be null may be left out. */
export async function insertAll<Table extends keyof Schema>(
  db: Queries,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  if (columns === 0) return;
  const batch = Math.floor(PARAMETERS_MAX / columns);
  for (let start = 0; start < rows.length; start += batch) {
    await db
      .insertInto(table)
      .values(rows.slice(start, start + batch))
      .execute();
  }
}
