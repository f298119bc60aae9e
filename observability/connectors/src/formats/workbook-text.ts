// SPDX-License-Identifier: Apache-2.0
/** The rows of a sheet as delimited text, so that what is known of such text holds for workbooks, too: headers, types that stick, rejected rows. */

export type Cell = string | number | boolean | Date | null;

export const SHEET_SEPARATOR = ',';

export function* sheetLines(rows: readonly (readonly Cell[])[]): Generator<string> {
  const table = rows.filter((row) => row.some((cell) => cell !== null));
  const width = Math.max(0, ...table.map(filled));
  const begin = table.findIndex((row) => filled(row) === width);
  for (const [index, row] of table.entries()) {
    // Titles above the table are shorter than it, as they are in a text file; within it an empty cell at the end is one.
    const cells = index < begin && filled(row) < width ? row.slice(0, row.findLastIndex((cell) => cell !== null) + 1) : row.slice(0, width);
    yield `${cells.map(cellText).join(SHEET_SEPARATOR)}\n`;
  }
}

/** Columns most of whose values are cells of text: a sheet says so, where digits in a text file may be either. */
export function textColumns(rows: readonly (readonly Cell[])[]): readonly number[] {
  const texts: number[] = [];
  const values: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      if (cell === null) continue;
      values[column] = (values[column] ?? 0) + 1;
      if (typeof cell === 'string') texts[column] = (texts[column] ?? 0) + 1;
    }
  }
  // Object.keys leaves out the columns without a text.
  return Object.keys(texts)
    .map(Number)
    .filter((column) => 2 * (texts[column] ?? 0) > (values[column] ?? 0));
}

/** Cells up to the last one that has a value. */
function filled(row: readonly Cell[]): number {
  return row.findLastIndex((cell) => cell !== null) + 1;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return dateText(cell);
  const text = String(cell);
  return typeof cell === 'string' && (text === '' || /[",\r\n]|^\s|\s$/.test(text)) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A sheet counts days and parts of a day, without a time zone. */
function dateText(date: Date): string {
  const iso = date.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, iso.endsWith('.000Z') ? 19 : 23);
}
