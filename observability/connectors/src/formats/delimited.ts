// SPDX-License-Identifier: Apache-2.0
/** Delimited text as a table: how it is read, and its columns. */
import type { Column, DelimitedReading, FoundColumn } from '../connector.ts';
import { columnNames } from './column-names.ts';
import { hasWideInteger, typeOfTexts } from './column-type.ts';
import { parseRows } from './delimited-rows.ts';
import { sniffLayout } from './sniff-dialect.ts';
import { sniffConventions } from './text-conventions.ts';

export type DelimitedText = {
  readonly reading: DelimitedReading;
  readonly columns: readonly FoundColumn[];
  readonly hasMixedEnds: boolean;
};

/** Reads a sample; what is given of the reading rules, the rest is found. */
export function recogniseDelimited(text: string, given: Partial<DelimitedReading>): DelimitedText {
  const layout = sniffLayout(text, given);
  const comment = given.comment ?? '';
  const { rows: all, hasMixedEnds } = parseRows(text, layout);
  const rows = all
    .filter(({ line, fields }) => line >= layout.skip && (comment === '' || fields[0]?.startsWith(comment) !== true))
    .map(({ fields }) => fields);
  const width = widthOf(rows);
  const data = (layout.header ? rows.slice(1) : rows).filter((row) => row.length === width);
  const cells = Array.from({ length: width }, (_, column) => data.map((row) => row[column] ?? ''));
  const conventions = sniffConventions(cells, given);
  const names = columnNames(layout.header ? headerCells(rows[0] ?? [], cells) : [], width);
  const columns = names.map((name, column) => {
    const texts = cells[column] ?? [];
    const isEmpty = texts.every((text) => text === '' || conventions.null_words.includes(text));
    return { ...columnOf(name, typeOfTexts(texts, conventions), texts), ...(isEmpty && { isEmpty }) };
  });
  return { reading: { encoding: 'UTF-8', ...given, ...layout, comment, ...conventions }, columns, hasMixedEnds };
}

/** That of the first row, unless all others agree on one more: then the header lacks the name of the first column. */
function widthOf([first = [], ...others]: readonly (readonly string[])[]): number {
  return others.length > 0 && first.length > 1 && others.every(({ length }) => length === first.length + 1)
    ? first.length + 1
    : first.length;
}

/** One name too few is that of the first column, as R writes tables, unless nothing stands in the last one: then rows end with a separator. */
function headerCells(first: readonly string[], cells: readonly (readonly string[])[]): readonly string[] {
  const isLastEmpty = cells.at(-1)?.every((text) => text === '') === true;
  return first.length < cells.length && isLastEmpty ? [...first, ''] : first;
}

/** The names of the scan engine's SQL, so that its finer answer later is no change of the schema. */
const SOURCE_TYPES = {
  STRING: 'VARCHAR',
  INTEGER: 'BIGINT',
  DECIMAL: 'DOUBLE',
  BOOLEAN: 'BOOLEAN',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMP',
  OTHER: 'JSON',
} as const;

export function columnOf(name: string, type: keyof typeof SOURCE_TYPES, texts: readonly string[] = []): Column {
  const isWide = type === 'INTEGER' && hasWideInteger(texts);
  return { name, source_type: isWide ? 'HUGEINT' : SOURCE_TYPES[type], data_type: type };
}
