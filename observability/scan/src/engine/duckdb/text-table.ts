// SPDX-License-Identifier: Apache-2.0
/**
 * Makes the table `asset` of texts. Values that do not fit the type of their column are null there, and are kept in a column of their own until they
 * are counted; it is empty in all other rows, which costs nothing to look through.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET, FILE } from './asset-relation.ts';
import { readRows } from './database.ts';
import type { Mismatch } from './messages.ts';
import { type Conventions, type TextColumn, valueOfText } from './text-types.ts';

const { identifier } = duckdbDialect;
/** No column of a file has a name with a control character in it. */
const MISFITS = identifier('\u0001misfits');
const MISMATCH_SAMPLES = 5;
const SAMPLE_CHARACTERS = 500;

/** Rows of texts: a relation, and which of its columns are not texts any more. */
export type Texts = {
  readonly relation: string;
  readonly names: ReadonlySet<string>;
  readonly native: ReadonlySet<string>;
  /** Says which of several files a row is of, as SQL. */
  readonly file?: string;
};

export async function createTable(
  connection: DuckDBConnection,
  parts: readonly Texts[],
  { columns, conventions }: { readonly columns: readonly TextColumn[]; readonly conventions: Conventions },
): Promise<void> {
  const selects = parts.map((part) => selectOf(part, columns, conventions));
  await connection.run(`CREATE TABLE ${ASSET} AS ${selects.join(' UNION ALL BY NAME ')}`);
}

function selectOf({ relation, names, native, file }: Texts, columns: readonly TextColumn[], conventions: Conventions): string {
  const own = columns.filter(({ name }) => names.has(name));
  const raw = (index: number): string => `r${index}`;
  const value = (index: number): string => `v${index}`;
  const ofFile = file === undefined ? [] : [FILE];
  const values = own.flatMap((column, index) => {
    const text = identifier(column.name);
    return native.has(column.name)
      ? [`${text} AS ${value(index)}`]
      : [`${text} AS ${raw(index)}`, `${valueOfText(text, column, conventions)} AS ${value(index)}`];
  });
  const checked = columns.map(({ name, type }) => {
    const index = own.findIndex((column) => column.name === name);
    return index === -1 || native.has(name) || type === 'VARCHAR' ? undefined : index;
  });
  // A quoted nothing is no value of a number or a date.
  const isMisfit = (index: number): string => `${value(index)} IS NULL AND trim(${raw(index)}) <> ''`;
  const misfits = checked.map((index) => (index === undefined ? 'NULL' : `CASE WHEN ${isMisfit(index)} THEN ${raw(index)} END`));
  const anyMisfit = checked.flatMap((index) => (index === undefined ? [] : [`(${isMisfit(index)})`]));
  const kept = anyMisfit.length === 0 ? 'NULL' : `CASE WHEN ${anyMisfit.join(' OR ')} THEN [${misfits.join(', ')}] END`;
  const inner = [...values, ...(file === undefined ? [] : [`${file} AS ${FILE}`])];
  const outer = [...own.map(({ name }, index) => `${value(index)} AS ${identifier(name)}`), ...ofFile];
  return `SELECT ${[...outer, `CAST(${kept} AS VARCHAR[]) AS ${MISFITS}`].join(', ')} FROM (SELECT ${inner.join(', ')} FROM ${relation})`;
}

export type Misfits = {
  readonly column: TextColumn;
  readonly count: number;
  /** Of those, decimals and integers of more than 64 bits; texts with leading zeros; dates with a time of day. */
  readonly decimals: number;
  readonly wide: number;
  readonly codes: number;
  readonly times: number;
  readonly present: number;
  /** Whether a double holds all values that fit. */
  readonly isExact: boolean;
};

/** Of the columns that have some, beside the number of all rows. */
export async function misfitsOf(
  connection: DuckDBConnection,
  columns: readonly TextColumn[],
): Promise<{ readonly rows: number; readonly misfits: readonly Misfits[] }> {
  const [[rows, any] = []] = await readRows(connection, `SELECT count(*), count(${MISFITS}) FROM ${ASSET}`);
  if (Number(any) === 0) return { rows: Number(rows), misfits: [] };
  const found: Misfits[] = [];
  for (const [index, column] of columns.entries()) {
    const text = 't.misfit';
    const isNumber = column.type === 'BIGINT' || column.type === 'HUGEINT';
    const counted = [
      `count(${text})`,
      `count(*) FILTER (WHERE regexp_full_match(${text}, '-?([0-9]+[.][0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?'))`,
      `count(*) FILTER (WHERE regexp_full_match(${text}, '-?[1-9][0-9]{17,37}') AND TRY_CAST(${text} AS HUGEINT) IS NOT NULL)`,
      `count(*) FILTER (WHERE regexp_full_match(${text}, '[+-]?0[0-9]+|[+][0-9]+'))`,
      `count(*) FILTER (WHERE length(${text}) >= 16 AND TRY_CAST(${text} AS TIMESTAMP) IS NOT NULL)`,
    ];
    const [counts = []] = await readRows(
      connection,
      `SELECT ${counted.join(', ')} FROM (SELECT ${MISFITS}[${index + 1}] AS misfit FROM ${ASSET} WHERE ${MISFITS} IS NOT NULL) AS t`,
    );
    const [count = 0, decimals = 0, wide = 0, codes = 0, times = 0] = counts.map(Number);
    if (count === 0) continue;
    const name = identifier(column.name);
    const isExact = isNumber ? `coalesce(max(abs(CAST(${name} AS HUGEINT))) <= 9007199254740992, true)` : 'true';
    const [[present, exact] = []] = await readRows(connection, `SELECT count(${name}), ${isExact} FROM ${ASSET}`);
    found.push({ column, count, decimals, wide, codes, times, present: Number(present) + count, isExact: exact === true });
  }
  return { rows: Number(rows), misfits: found };
}

/** What does not fit, and the table without its column of them. */
export async function takeMismatches(
  connection: DuckDBConnection,
  columns: readonly TextColumn[],
  misfits: readonly Misfits[],
): Promise<readonly Mismatch[]> {
  const counts = new Map(misfits.map(({ column, count }) => [column.name, count]));
  const mismatches: Mismatch[] = [];
  for (const [index, { name, type }] of columns.entries()) {
    if (type === 'VARCHAR') continue;
    const count = counts.get(name) ?? 0;
    const rows =
      count === 0
        ? []
        : await readRows(
            connection,
            `SELECT DISTINCT left(${MISFITS}[${index + 1}], ${SAMPLE_CHARACTERS}) AS misfit FROM ${ASSET} WHERE ${MISFITS}[${index + 1}] IS NOT NULL ` +
              `ORDER BY misfit LIMIT ${MISMATCH_SAMPLES}`,
          );
    mismatches.push({ column: name, type, count, samples: rows.map(([text]) => String(text)) });
  }
  await connection.run(`ALTER TABLE ${ASSET} DROP COLUMN ${MISFITS}`);
  return mismatches;
}

export async function countRows(connection: DuckDBConnection): Promise<number> {
  const [[count] = []] = await readRows(connection, `SELECT count(*) FROM ${ASSET}`);
  return Number(count);
}
