// SPDX-License-Identifier: Apache-2.0
/** Many rows for suites that need many: the database copies one, which takes a hundredth of what it takes to write each through a store. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';

type Copied = {
  readonly table: 'assets' | 'jobs';
  /** The column that holds the asset. */
  readonly of: string;
  /** It has one row. */
  readonly assetId: string;
  readonly copies: number;
  /** What each copy has instead; its number, from 1 on, is `n`. */
  readonly changed: { readonly [column: string]: RawBuilder<unknown> };
};

export async function copyRow(kysely: Kysely<Schema>, { table, of, assetId, copies, changed }: Copied): Promise<void> {
  const isOfAsset = sql<boolean>`${sql.ref(of)} = ${assetId}`;
  const columns = Object.keys(await kysely.selectFrom(table).selectAll().where(isOfAsset).executeTakeFirstOrThrow());
  await sql`
    with recursive copies (n) as (select 1 union all select n + 1 from copies where n < ${sql.lit(copies)})
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(columns.map((column) => changed[column] ?? sql.ref(column)))}
    from ${sql.table(table)}, copies where ${isOfAsset}`.execute(kysely);
}

/** The text of a column with the number of the copy behind it. */
export function numbered(column: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} || '-' || n`;
}
