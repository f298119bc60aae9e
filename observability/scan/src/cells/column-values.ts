// SPDX-License-Identifier: Apache-2.0
/** What values each column has and how often: the aggregates that the detectors over single columns decide by. */
import type { CellTable } from './cell-table.ts';
import { isNumber, patternShares, regularExpressionOf, shapeOf } from './patterns.ts';

export type ValueCount = { readonly value: string; readonly count: number };

export type ColumnValues = {
  readonly index: number;
  readonly name: string;
  /** Rows that were looked at, and those of them with a value. */
  readonly rows: number;
  readonly present: number;
  readonly values: readonly ValueCount[];
  /** Whether `values` is every value of the whole table; else they are those of the sample. */
  readonly isWhole: boolean;
};

/** Values of a column that are held at once. */
const VALUES_MAX = 20_000;
/** A pattern that the sample has so often is usual; where usual ones are few and cover so much, the others are read from the whole table. */
const USUAL_COUNT = 20;
const USUAL_SHARE = 0.9;
const USUAL_MAX = 20;
const ODD_MAX = 5_000;
/** Largest and smallest numbers that are looked at. */
const ENDS = 20;

export async function readColumnValues(table: CellTable): Promise<readonly ColumnValues[]> {
  const estimates = table.columns.map((_, index) => `approx_count_distinct(c${index})`);
  const [distinct = []] = estimates.length === 0 ? [] : await table.query(`SELECT ${estimates.join(', ')} FROM ${table.sample}`);
  const columns: ColumnValues[] = [];
  for (const [index, name] of table.columns.entries()) {
    // A column whose sampled values repeat ten times has few enough in the whole table.
    const isWhole = table.relation === table.sample || Number(distinct[index]) * 10 <= VALUES_MAX / 2;
    const relation = isWhole ? table.relation : table.sample;
    const counted = await table.query(
      `SELECT c${index} AS v, count(*) FROM ${relation} GROUP BY v ORDER BY count(*) DESC, v LIMIT ${VALUES_MAX}`,
    );
    const all = counted.map(([value, count]) => ({ value, count: Number(count) }));
    const values = all.flatMap(({ value, count }) => (value === null || value === undefined ? [] : [{ value: String(value), count }]));
    if (!isWhole) values.push(...(await oddValues(table, index, values)));
    const present = values.reduce((sum, { count }) => sum + count, 0);
    columns.push({ index, name, rows: all.reduce((sum, { count }) => sum + count, 0), present, values, isWhole });
  }
  return columns;
}

/** Values of a column too large to be held: those of the whole table that are not written as the sample's are, and the largest and smallest numbers. */
async function oddValues(table: CellTable, index: number, sampled: readonly ValueCount[]): Promise<readonly ValueCount[]> {
  const known = new Set(sampled.map(({ value }) => value));
  const total = sampled.reduce((sum, { count }) => sum + count, 0);
  const usual = patternShares(sampled, shapeOf).filter(({ share }) => share * total >= USUAL_COUNT);
  const found: string[] = [];
  // Free text has no usual patterns.
  if (usual.length <= USUAL_MAX && usual.reduce((sum, { share }) => sum + share, 0) >= USUAL_SHARE) {
    const pattern = usual.map(({ pattern }) => regularExpressionOf(pattern)).join('|');
    const rows = await table.query(
      `SELECT c${index} FROM ${table.relation} WHERE c${index} IS NOT NULL AND NOT regexp_full_match(c${index}, '${pattern.replaceAll("'", "''")}') LIMIT ${ODD_MAX}`,
    );
    found.push(...rows.map(([value]) => String(value)));
  }
  if (sampled.some(({ value }) => isNumber(value))) {
    const ends = await table.query(
      `SELECT c${index} FROM ${table.relation} WHERE TRY_CAST(c${index} AS DOUBLE) IN (SELECT unnest(max(x, ${ENDS}) || min(x, ${ENDS})) FROM (SELECT TRY_CAST(c${index} AS DOUBLE) AS x FROM ${table.relation})) LIMIT ${ODD_MAX}`,
    );
    found.push(...ends.map(([value]) => String(value)));
  }
  return [...new Set(found)].filter((value) => !known.has(value)).map((value) => ({ value, count: 1 }));
}
