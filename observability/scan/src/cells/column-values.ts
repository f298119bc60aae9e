/** What values each column has and how often: the aggregates that the detectors over single columns decide by. */
import type { CellTable } from './cell-table.ts';

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

export async function readColumnValues(table: CellTable): Promise<readonly ColumnValues[]> {
  const estimates = table.columns.map((_, index) => `approx_count_distinct(c${index})`);
  const [distinct = []] = estimates.length === 0 ? [] : await table.query(`SELECT ${estimates.join(', ')} FROM ${table.sample}`);
  const columns: ColumnValues[] = [];
  for (const [index, name] of table.columns.entries()) {
    // A column whose sampled values repeat ten times has few enough in the whole table.
    const isWhole = table.relation === table.sample || Number(distinct[index]) * 10 <= VALUES_MAX / 2;
    const relation = isWhole ? table.relation : table.sample;
    const counted = await table.query(`SELECT c${index} AS v, count(*) FROM ${relation} GROUP BY v ORDER BY count(*) DESC, v LIMIT ${VALUES_MAX}`);
    const all = counted.map(([value, count]) => ({ value, count: Number(count) }));
    const values = all.flatMap(({ value, count }) => (value === null || value === undefined ? [] : [{ value: String(value), count }]));
    const present = values.reduce((sum, { count }) => sum + count, 0);
    columns.push({ index, name, rows: all.reduce((sum, { count }) => sum + count, 0), present, values, isWhole });
  }
  return columns;
}
