// SPDX-License-Identifier: Apache-2.0
/** Gives columns of text the type that all their values have: of those that the beginning of a file leaves empty. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET } from './asset-relation.ts';
import { readRows } from './database.ts';

/** From the narrowest on. */
const TYPES = ['BOOLEAN', 'BIGINT', 'HUGEINT', 'DOUBLE', 'DATE', 'TIMESTAMP'] as const;
/** Casts are more lenient than data are meant: `1` is no boolean, `007` and a fraction no integer, a time of day lost in a date. */
const FORMS: { readonly [Type in (typeof TYPES)[number]]: string } = {
  BOOLEAN: '(?i)true|false',
  BIGINT: '-?(0|[1-9][0-9]*)',
  HUGEINT: '-?(0|[1-9][0-9]*)',
  DOUBLE: '-?(0|[1-9][0-9]*)?([.][0-9]*)?([eE][+-]?[0-9]+)?',
  DATE: '[0-9]{4}-[0-9]{2}-[0-9]{2}',
  TIMESTAMP: '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T].*',
};

export async function narrowTypes(connection: DuckDBConnection, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const { identifier, literal } = duckdbDialect;
  const fits = names.flatMap((name) => {
    const column = identifier(name);
    return TYPES.map(
      (type) =>
        `coalesce(bool_and(regexp_full_match(${column}, ${literal(FORMS[type])}) AND TRY_CAST(${column} AS ${type}) IS NOT NULL), false)`,
    );
  });
  const [flags = []] = await readRows(connection, `SELECT ${fits.join(', ')} FROM ${ASSET}`);
  const casts = names.map((name, column) => {
    const type = TYPES.find((_, index) => flags[column * TYPES.length + index] === true) ?? 'VARCHAR';
    return `CAST(${identifier(name)} AS ${type}) AS ${identifier(name)}`;
  });
  await connection.run(`CREATE OR REPLACE TABLE ${ASSET} AS SELECT * REPLACE (${casts.join(', ')}) FROM ${ASSET}`);
}
