// SPDX-License-Identifier: Apache-2.0
/** Finds how a sample of delimited text is to be read: its separator, quotes, the lines before its table, and whether that has a header. */
import type { Reading } from '@sextant/contracts-observability';
import { typeOfTexts } from './column-type.ts';
import { type Dialect, type ParsedRows, parseRows, type Row } from './delimited-rows.ts';
import { isNullWord } from './text-conventions.ts';

export type Layout = Dialect & Required<Pick<Reading, 'skip' | 'header'>>;

const SEPARATORS = [',', ';', '\t', '|', '^', '~', '\u0001'] as const;
const SNIFFED_CHARACTERS = 65_536;
const TIME_OF_DAY = /\d{1,2}:\d{2}/;

/** What is given is not looked for. */
export function sniffLayout(text: string, given: Partial<Layout>): Layout {
  const dialect = sniffDialect(text.slice(0, SNIFFED_CHARACTERS), given);
  const { rows } = parseRows(text, dialect);
  const width = usualWidth(rows);
  const comment = given.skip === undefined ? commentLines(rows, width) : { skip: given.skip, header: undefined };
  const skip = comment.skip ?? linesBefore(rows, width);
  const table = rows.filter(({ line }) => line >= skip);
  return { ...dialect, skip, header: given.header ?? comment.header ?? hasHeader(table.map(({ fields }) => fields)) };
}

/**
 * The separator with which most rows have the same number of fields, and more than one; among equals the one with more fields. A comma where none
 * fits: a table of one column.
 */
function sniffDialect(text: string, given: Partial<Dialect>): Dialect {
  const separators = given.separator === undefined ? [...SEPARATORS, ' '] : [given.separator];
  const candidates = separators.flatMap((separator) => {
    const dialect = withQuotes(text, separator, given);
    const { rows } = parseRows(text, dialect);
    const width = usualWidth(rows);
    const agreement = rows.filter(({ fields }) => fields.length === width).length / Math.max(1, rows.length);
    return width < 2 || (separator === ' ' && !isSpaced(text, rows, agreement)) ? [] : [{ dialect, width, agreement }];
  });
  const isBetter = (one: (typeof candidates)[number], other: (typeof candidates)[number]): boolean =>
    one.dialect.separator !== ' ' && (one.agreement > other.agreement || (one.agreement === other.agreement && one.width > other.width));
  const [first] = candidates;
  if (first === undefined) return withQuotes(text, given.separator ?? ',', given);
  return candidates.reduce((best, candidate) => (isBetter(candidate, best) ? candidate : best), first).dialect;
}

/** Spaces are in sentences and between dates and times, too. */
function isSpaced(text: string, rows: readonly Row[], agreement: number): boolean {
  const [, ...others] = rows;
  if (agreement < 1 || others.length < 2 || TIME_OF_DAY.test(text)) return false;
  const isNumber = (column: number): boolean => {
    const type = typeOfTexts(others.map(({ fields }) => fields[column] ?? ''));
    return type === 'INTEGER' || type === 'DECIMAL';
  };
  return rows[0]?.fields.some((_, column) => isNumber(column)) === true;
}

/** Double quotes, doubled inside a value, unless another way leaves fewer quotes in the wrong place. */
function withQuotes(text: string, separator: string, { quote, escape: given }: Partial<Dialect>): Dialect {
  const quotes = quote === undefined ? ['"', ...(text.includes("'") ? ["'"] : [])] : [quote];
  const dialects = quotes.flatMap((mark) => {
    const escapes = given === undefined ? [mark, ...(mark !== '' && text.includes(`\\${mark}`) ? ['\\'] : [])] : [given];
    return escapes.map((before) => ({ separator, quote: mark, escape: before }));
  });
  const [usual] = dialects;
  if (usual === undefined || dialects.length === 1) return usual ?? { separator, quote: '"', escape: '"' };
  const scored = dialects.map((dialect) => ({ dialect, ...scoreOf(text, dialect, parseRows(text, dialect)) }));
  const [first, ...others] = scored;
  if (first === undefined) return usual;
  return others.reduce((best, other) => (other.isUsed && other.score > best.score ? other : best), first).dialect;
}

/** Rows that agree in their width, less the quotes that are in the wrong place and those that would stay around values. */
function scoreOf(text: string, { quote }: Dialect, { rows, faults }: ParsedRows): { readonly score: number; readonly isUsed: boolean } {
  const width = usualWidth(rows);
  const agreeing = rows.filter(({ fields }) => fields.length === width).length;
  const fields = rows.flatMap((row) => row.fields);
  const kept = fields.filter((field) => /^(".*"|'.*')$/s.test(field)).length;
  const opened = text.split(quote).length - 1;
  // An apostrophe that begins a value and does not end it is none of a pair.
  const isUsed = quote === '"' || (faults === 0 && opened >= 4 && fields.every((field) => !field.startsWith('"')));
  return { score: agreeing / Math.max(1, rows.length) - (faults + kept) / Math.max(1, fields.length), isUsed };
}

function usualWidth(rows: readonly Row[]): number {
  const counts = new Map<number, number>();
  for (const { fields } of rows) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  const [usual] = [...counts].sort(([a, n], [b, m]) => m - n || b - a);
  return usual?.[0] ?? 0;
}

/** Lines that begin with #: remarks, unless the last of them has the names of the columns. */
function commentLines(rows: readonly Row[], width: number): { readonly skip?: number; readonly header?: boolean } {
  const after = rows.findIndex(({ fields }) => fields[0]?.startsWith('#') !== true);
  const last = rows[after - 1];
  const next = rows[after];
  if (last === undefined || next === undefined) return {};
  const table = rows.slice(after).map(({ fields }) => fields);
  if (last.fields.length === width && !hasHeader(table)) return { skip: last.line, header: true };
  return next.fields.length === width ? { skip: next.line } : {};
}

/** Lines before the table: blank ones, and those of another width at the top. A header may lack the name of the first column. */
function linesBefore(rows: readonly Row[], width: number): number {
  const [first, second] = rows;
  if (first === undefined) return 0;
  const isHeaderOfFewer = first.fields.length === width - 1 && width > 2 && second?.fields.length === width && hasNames(first.fields);
  const table = isHeaderOfFewer ? first : rows.find(({ fields }) => fields.length === width);
  const of = rows.filter(({ fields }) => fields.length === width).length;
  // A few rows that agree by chance are no table.
  return table === undefined || of < 2 ? first.line : table.line;
}

/**
 * A first row is a header unless it looks like data: a cell of it is a number, a truth value or a time in a column of such, or is empty. An empty cell is a
 * missing name where nothing stands below it, as behind a separator at the end of each line, where it is the first one above integers, as that of an
 * index, or where another cell is a word above numbers or times. If all columns are text nothing decides, and the first line is a header, as delimited
 * files are expected to have one.
 */
export function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...others] = rows;
  if (others.length === 0) return hasNames(first.slice(0, Math.max(1, first.findLastIndex((cell) => cell !== '') + 1)));
  const below = (column: number) => others.map((row) => row[column] ?? '');
  const isWord = (cell: string) => cell.trim() !== '' && typeOfTexts([cell]) === 'STRING';
  const hasProof = () => first.some((cell, column) => isWord(cell) && !isNullWord(cell) && typeOfTexts(below(column)) !== 'STRING');
  return first.every((cell, column) => {
    if (isWord(cell)) return true;
    const texts = below(column);
    if (cell.trim() !== '') return typeOfTexts(texts) === 'STRING';
    const isIndex = column === 0 && first.length > 1 && typeOfTexts(texts) === 'INTEGER';
    return isIndex || (first.length > 1 && texts.every((text) => text.trim() === '')) || hasProof();
  });
}

function hasNames(cells: readonly string[]): boolean {
  return cells.every((cell) => cell !== '' && typeOfTexts([cell]) === 'STRING');
}
