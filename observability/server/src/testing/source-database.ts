// SPDX-License-Identifier: Apache-2.0
/** A database whose tables are scanned. */
import { sharedPostgres } from '@sextant/foundation-testing';
import pg from 'pg';

export type SourceDatabase = AsyncDisposable & { readonly client: pg.Client };

export async function sourceDatabase(): Promise<SourceDatabase> {
  const server = await sharedPostgres();
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  await client.query("SET TimeZone = 'UTC'");
  return {
    client,
    [Symbol.asyncDispose]: async () => {
      await client.end();
    },
  };
}
