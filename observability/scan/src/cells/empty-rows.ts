// SPDX-License-Identifier: Apache-2.0
/**
 * Which columns' empty cells belong together. A cell that was lost is empty by itself; what was never there is empty in several columns of a row, or in row
 * after row (a penguin that was not measured, the seasons before there were divisions).
 */
import type { CellTable } from './cell-table.ts';
import type { ColumnValues } from './column-values.ts';

/** Of a column's empty cells, the share that lie beside others from which they belong together, and how far beyond chance. */
const PAIRED_SHARE = 0.4;
const BEYOND_CHANCE = 3;

export async function emptyTogether(table: CellTable, columns: readonly ColumnValues[], shareMax: number): Promise<ReadonlySet<number>> {
  const few = columns.filter(({ rows, present }) => present < rows && rows - present <= shareMax * rows);
  if (few.length === 0) return new Set();
  const flags = few.map(({ index }) => `CAST(c${index} IS NULL AS INTEGER) AS e${index}`).join(', ');
  const all = few.map(({ index }) => `e${index}`).join(' + ');
  // Neighbours are known where every row is there.
  const isWhole = table.relation === table.sample;
  const beside = isWhole
    ? few
        .map(({ index }) => `, lag(e${index}, 1, 0) OVER (ORDER BY row_id) + lead(e${index}, 1, 0) OVER (ORDER BY row_id) AS n${index}`)
        .join('')
    : '';
  const figures = few.flatMap(({ index }) => [
    `sum(e${index})`,
    `count(*) FILTER (WHERE e${index} = 1 AND ${all} > 1)`,
    isWhole ? `count(*) FILTER (WHERE e${index} = 1 AND n${index} > 0)` : '0',
  ]);
  const [sums = []] = await table.query(
    `SELECT ${figures.join(', ')} FROM (SELECT *${beside} FROM (SELECT row_id, ${flags} FROM ${table.sample}))`,
  );
  const rates = few.map(({ rows, present }) => (rows - present) / rows);
  const total = rates.reduce((sum, rate) => sum + rate, 0);
  return new Set(
    few.flatMap(({ index }, at) => {
      const [empty = 0, inRow = 0, beside = 0] = [0, 1, 2].map((offset) => Number(sums[3 * at + offset] ?? 0));
      const rate = rates[at] ?? 0;
      const isTogether = (count: number, chance: number): boolean =>
        empty >= 2 && count >= PAIRED_SHARE * empty && count >= BEYOND_CHANCE * chance * empty;
      return isTogether(inRow, total - rate) || isTogether(beside, 2 * rate) ? [index] : [];
    }),
  );
}
