// SPDX-License-Identifier: Apache-2.0
/**
 * The rows that are searched for wrong cells: one relation in DuckDB with the columns `row_id`, `c0`, `c1` and so on, all but the first as
 * text, where an empty text is null. Everything that looks at rows is a SELECT over it; everything that decides is plain code over bounded results.
 */
import type { Row } from '../engine/engine.ts';

export type CellTable = {
  /** Names of the columns; column `i` of the relation is called `c<i>`. */
  readonly columns: readonly string[];
  readonly relation: string;
  /** Positions of columns whose type lets nothing but numbers in. */
  readonly numbers: ReadonlySet<number>;
  /** At most `SAMPLE_ROWS` of the rows, to learn dependencies from; the relation itself where it is no larger. */
  readonly sample: string;
  readonly rows: number;
  readonly query: (sql: string) => Promise<readonly Row[]>;
};

/** A share of one per cent is known to within 0.2 per cent (95 %) from so many rows. */
export const SAMPLE_ROWS = 10_000;

export type CellSource = {
  /** What stands after FROM. */
  readonly relation: string;
  /** A number that stays with a row. */
  readonly rowId: string;
  readonly columns: readonly { readonly name: string; readonly text: string; readonly isNumber?: boolean }[];
  readonly query: (sql: string) => Promise<readonly Row[]>;
};

/** Lays the view `cells` over the rows, and a sample beside it where they are many. */
export async function openCellTable({ relation, rowId, columns, query }: CellSource): Promise<CellTable> {
  const texts = columns.map(({ text }, index) => `nullif(${text}, '') AS c${index}`);
  await query(`CREATE OR REPLACE TEMP VIEW cells AS SELECT ${rowId} AS row_id, ${texts.join(', ')} FROM ${relation}`);
  const [[count] = []] = await query(`SELECT count(*) FROM ${relation}`);
  const rows = Number(count);
  const names = columns.map(({ name }) => name);
  const numbers = new Set(columns.flatMap(({ isNumber }, index) => (isNumber === true ? [index] : [])));
  if (rows <= SAMPLE_ROWS) {
    // Small enough to be held once as text.
    await query('CREATE OR REPLACE TEMP TABLE cells_sample AS SELECT * FROM cells');
    return { columns: names, numbers, relation: 'cells_sample', sample: 'cells_sample', rows, query };
  }
  const every = Math.ceil(rows / SAMPLE_ROWS);
  // By a hash of the row's number: the same rows on every run.
  await query(`CREATE OR REPLACE TEMP TABLE cells_sample AS SELECT * FROM cells WHERE hash(row_id) % ${every} = 0`);
  return { columns: names, numbers, relation: 'cells', sample: 'cells_sample', rows, query };
}
