// SPDX-License-Identifier: Apache-2.0
import { missingPostgres, type SharedPostgres, sharedPostgres } from '@sextant/foundation-testing';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MetadataDatabase } from './database.ts';
import { openPostgresql } from './postgresql.ts';

const missing = missingPostgres();

describe.skipIf(missing !== undefined)(`sessions of PostgreSQL (${missing ?? 'installed'})`, () => {
  let postgres: SharedPostgres;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  test('a session that ends within a transaction fails that alone', async () => {
    await using stack = new AsyncDisposableStack();
    const database = opened(stack, postgres.databaseUrl);
    const other = opened(stack, postgres.databaseUrl);
    const cut = database.kysely.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(other.kysely);
      await sql`select 1`.execute(transaction);
    });
    await expect(cut).rejects.toThrow();
    expect(await answers(database)).toBe(true);
  });

  test('a transaction in which nothing is said lets go of its locks, and another process gets them', async () => {
    await using stack = new AsyncDisposableStack();
    const url = new URL(postgres.databaseUrl);
    url.searchParams.set('options', '-c idle_in_transaction_session_timeout=200');
    const silent = opened(stack, url.href);
    const other = opened(stack, postgres.databaseUrl);
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const held = silent.kysely.transaction().execute(async (transaction) => {
      await silent.lock(transaction, 'tenant acme');
      hold();
      await isOver;
      await sql`select 1`.execute(transaction);
    });
    await isHeld;
    await other.kysely.transaction().execute((transaction) => other.lock(transaction, 'tenant acme'));
    end();
    await expect(held).rejects.toThrow();
    expect(await answers(silent)).toBe(true);
  });

  test('a transaction may be silent for as long as a lease lasts, unless the URL says how long', async () => {
    await using stack = new AsyncDisposableStack();
    expect(await silenceOf(opened(stack, postgres.databaseUrl))).toBe('30s');
    expect(await silenceOf(opened(stack, `${postgres.databaseUrl}?options=-c%20idle_in_transaction_session_timeout%3D7s`))).toBe('7s');
  });
});

function opened(stack: AsyncDisposableStack, databaseUrl: string): MetadataDatabase {
  const database = openPostgresql(databaseUrl);
  stack.defer(() => database.kysely.destroy());
  return database;
}

async function answers({ kysely }: MetadataDatabase): Promise<boolean> {
  const { rows } = await sql<{ readonly is: boolean }>`select true as is`.execute(kysely);
  return rows[0]?.is === true;
}

async function silenceOf({ kysely }: MetadataDatabase): Promise<string | undefined> {
  const { rows } = await sql<{
    readonly silence: string;
  }>`select current_setting('idle_in_transaction_session_timeout') as silence`.execute(kysely);
  return rows[0]?.silence;
}
