/** Delimited text (RFC 4180 with any separator): rows of a sample, the separator that fits it, and whether the first row is a header. */
import type { Column } from '../connector.ts';
import { typeOfTexts } from './column-type.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;

/**
 * The separator with which most rows have the field count of the first one, and more than one field; among equals the one with more fields.
 * A comma where none fits: a table of one column.
 */
export function sniffSeparator(sample: string): string {
  let best = { separator: ',' as string, agreement: 0, fields: 1 };
  for (const separator of SEPARATORS) {
    const rows = parseRows(sample, separator);
    const fields = rows[0]?.length ?? 0;
    if (fields < 2) continue;
    const agreement = rows.filter((row) => row.length === fields).length / rows.length;
    if (agreement > best.agreement || (agreement === best.agreement && fields > best.fields)) best = { separator, agreement, fields };
  }
  return best.separator;
}

/** Rows of a sample, at most `ROWS_MAX`; blank lines are none. A last row without its line end may be cut, and is left out unless it is the only one. */
export function parseRows(sample: string, separator: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(field);
    if (row.length > 1 || field !== '') rows.push(row);
    row = [];
    field = '';
  };
  for (let index = 0; index < sample.length && rows.length < ROWS_MAX; index += 1) {
    const character = sample[index] ?? '';
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (sample[index + 1] === '"') {
        field += character;
        index += 1;
      } else isQuoted = false;
    } else if (character === '"' && field === '') isQuoted = true;
    else if (character === separator) {
      row.push(field);
      field = '';
    } else if (character === '\n') endRow();
    else if (character !== '\r') field += character;
  }
  if (rows.length === 0) endRow();
  return rows;
}

const ROWS_MAX = 1000;

/**
 * A first row is a header unless it looks like data: a cell of it is empty, or is a number, a truth value or a time in a column of such.
 * If all columns are text nothing decides, and the first line is a header, as delimited files are expected to have one.
 */
export function hasHeader(rows: readonly (readonly string[])[]): boolean {
  const [first = [], ...others] = rows;
  if (others.length === 0) return first.every((cell) => cell !== '' && typeOfTexts([cell]) === 'STRING');
  return first.every((cell, column) => {
    if (cell.trim() === '') return false;
    const type = typeOfTexts([cell]);
    return type === 'STRING' || typeOfTexts(others.map((row) => row[column] ?? '')) === 'STRING';
  });
}

/** Columns of a sample. Without a header they are `column0`, `column1`…; a name that is there already gets a number, `a_1`. */
export function delimitedColumns(rows: readonly (readonly string[])[], header: boolean): readonly Column[] {
  const [first = []] = rows;
  const data = header ? rows.slice(1) : rows;
  const taken = new Set<string>();
  return first.map((cell, column) => {
    const name = unusedName(header && cell.trim() !== '' ? cell.trim() : `column${column}`, taken);
    taken.add(name);
    return columnOf(name, typeOfTexts(data.map((row) => row[column] ?? '')));
  });
}

function unusedName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 1;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
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

export function columnOf(name: string, type: keyof typeof SOURCE_TYPES): Column {
  return { name, source_type: SOURCE_TYPES[type], data_type: type };
}
