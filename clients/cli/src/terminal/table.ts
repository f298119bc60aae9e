// SPDX-License-Identifier: Apache-2.0
/** Tables for people: columns as wide as their widest cell, numbers to the right, and the widest texts cut where the terminal ends. */
import { charactersOf, firstCharacters } from './characters.ts';
import { printableLine } from './printable.ts';

export type Cell = string | number | bigint | boolean | null | undefined;

/** A title alone is a column of texts; numbers are aligned to the right. */
export type TableColumn = string | { readonly title: string; readonly align?: 'right' };

const GAP = '  ';
const NARROWEST = 12;
const ELLIPSIS = '…';

/**
 * @param widthMax of a line; undefined leaves every cell whole, as something that reads along wants it
 * @returns lines, the first with the titles
 */
export function tableLines(columns: readonly TableColumn[], rows: readonly (readonly Cell[])[], widthMax?: number): readonly string[] {
  const texts = rows.map((row) => columns.map((_, index) => cellText(row[index])));
  const titles = columns.map((column) => (typeof column === 'string' ? column : column.title).toUpperCase());
  const natural = columns.map((_, index) => Math.max(...[titles, ...texts].map((row) => lengthOf(row[index] ?? ''))));
  const widths = widthMax === undefined ? natural : shrunk(natural, widthMax);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => fitted(cell, widths[index] ?? 0, isRightAligned(columns[index])))
      .join(GAP)
      .trimEnd();
  return [titles, ...texts].map(line);
}

function isRightAligned(column: TableColumn | undefined): boolean {
  return typeof column === 'object' && column.align === 'right';
}

/** Nothing is a dash, so that an empty cell is seen to be one. */
function cellText(cell: Cell): string {
  return cell === null || cell === undefined || cell === '' ? '-' : printableLine(String(cell));
}

/** Takes from the widest column, one character at a time, until the line fits or nothing is left to take. */
function shrunk(natural: readonly number[], widthMax: number): readonly number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  while (total() > widthMax) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= NARROWEST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function fitted(text: string, width: number, isRight: boolean): string {
  const cut = lengthOf(text) > width ? firstCharacters(text, width - 1) + ELLIPSIS : text;
  const padding = ' '.repeat(width - lengthOf(cut));
  return isRight ? padding + cut : cut + padding;
}

function lengthOf(text: string): number {
  return charactersOf(text).length;
}
