// SPDX-License-Identifier: Apache-2.0
/** What the databases do to answer the queries of a store. */
import { type CompiledQuery, type Kysely, type KyselyPlugin, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';

type PlanOptions = {
  /** Or their names in the query. */
  readonly tables: readonly string[];
  readonly isPostgresql: boolean;
};

/** What a plan says of each look into tables: the columns that its index is searched by. */
export async function looksInto(
  kysely: Kysely<Schema>,
  query: CompiledQuery,
  { tables, isPostgresql }: PlanOptions,
): Promise<readonly string[]> {
  return kysely.transaction().execute(async (transaction) => {
    // Of few rows PostgreSQL would read all; what is asked is whether it has to.
    if (isPostgresql) {
      for (const way of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan'])
        await sql.raw(`set local enable_${way} = off`).execute(transaction);
    }
    const explained = { ...query, sql: `${isPostgresql ? 'explain' : 'explain query plan'} ${query.sql}` };
    const { rows } = await transaction.executeQuery<{ readonly detail?: string; readonly 'QUERY PLAN'?: string }>(explained);
    const lines = rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '');
    const names = new RegExp(`\\b(${tables.join('|')})\\b`);
    const isLook = (line: string) => names.test(line) && /SEARCH|SCAN|Scan/.test(line);
    return lines.flatMap((line, index) => (isLook(line) ? [isPostgresql ? (lines[index + 1] ?? '') : line] : []));
  });
}

/** Keeps what is asked through it. */
export class QueryRecorder implements KyselyPlugin {
  readonly #asked: Parameters<KyselyPlugin['transformQuery']>[0][] = [];

  compiled(kysely: Kysely<Schema>): readonly CompiledQuery[] {
    return this.#asked.map(({ node, queryId }) => kysely.getExecutor().compileQuery(node, queryId));
  }

  transformQuery(asked: Parameters<KyselyPlugin['transformQuery']>[0]): ReturnType<KyselyPlugin['transformQuery']> {
    this.#asked.push(asked);
    return asked.node;
  }

  transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]): ReturnType<KyselyPlugin['transformResult']> {
    return Promise.resolve(result);
  }
}
