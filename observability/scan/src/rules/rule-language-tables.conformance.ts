// SPDX-License-Identifier: Apache-2.0
/** What docs/reference/rule-language.md shows in its tables. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Column } from '@sextant/observability-connectors';
import type { CompileContext } from '../checks.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { NOW_MS } from '../expressions/sql-engines.conformance.ts';

export const PAGE = readFileSync(fileURLToPath(new URL('../../../../docs/reference/rule-language.md', import.meta.url)), 'utf8');

/** A cell's code spans, and its text without their backticks. */
type Cell = { readonly text: string; readonly code: readonly string[] };
type Table = { readonly header: string; readonly rows: readonly (readonly Cell[])[] };

/** Tables that describe and execute nothing, by their headers. */
export const PROSE = [
  'Context | Compares',
  'Written | Holds if the value',
  'Test | Holds if the value',
  'Type | Its `value` | Stands',
  'Operators | Meaning',
  'What | At most',
];
export const TABLES = tablesOf(PAGE);

/** The rows of all tables with this header. */
export function rowsUnder(header: string): readonly (readonly Cell[])[] {
  return TABLES.filter((table) => table.header === header).flatMap(({ rows }) => rows);
}

function tablesOf(page: string): readonly Table[] {
  return [...page.matchAll(/(?:^\|.*\|\n)+/gm)].map(([block]) => {
    const [header = '', , ...rows] = block.trimEnd().split('\n');
    return { header: header.slice(1, -1).trim(), rows: rows.map(cellsOf) };
  });
}

function cellsOf(line: string): readonly Cell[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.slice(1, -1).replaceAll('\\|', '|'))
    .map((text) => ({ text, code: [...text.matchAll(/(`+)(.+?)\1(?!`)/g)].map(([, , code = '']) => code) }));
}

/** The only code span of a cell, or null for `*null*`. */
export function expectedOf({ text, code }: Cell): string | null {
  const [only] = code;
  if (only === undefined && text !== '*null*') throw new Error(`${text} is neither a code span nor *null*`);
  return only ?? null;
}

export function exampleOf(cell: Cell | undefined): string {
  const [example] = cell?.code ?? [];
  if (example === undefined) throw new Error(`${cell?.text} has no code span`);
  return example;
}

export function rowNumbers(cell: Cell | undefined): readonly number[] {
  return cell?.text === 'none' ? [] : (cell?.text ?? '').split(', ').map(Number);
}

const SQL_TYPES = {
  'number (whole)': { data_type: 'INTEGER', sql: 'BIGINT', duckdb: 'BIGINT', postgresql: 'bigint', spark: 'bigint' },
  number: { data_type: 'DECIMAL', sql: 'FLOAT8', duckdb: 'DOUBLE', postgresql: 'double precision', spark: 'double' },
  text: { data_type: 'STRING', sql: 'TEXT', duckdb: 'VARCHAR', postgresql: 'text', spark: 'string' },
  'true/false': { data_type: 'BOOLEAN', sql: 'BOOLEAN', duckdb: 'BOOLEAN', postgresql: 'boolean', spark: 'boolean' },
  date: { data_type: 'DATE', sql: 'DATE', duckdb: 'DATE', postgresql: 'date', spark: 'date' },
  'date-time': {
    data_type: 'TIMESTAMP',
    sql: 'TIMESTAMP',
    duckdb: 'TIMESTAMP',
    postgresql: 'timestamp without time zone',
    spark: 'timestamp',
  },
} as const;

const attributeTypes = new Map(
  rowsUnder('Attribute | Type').flatMap(([names, type]) =>
    (names?.code ?? []).map((name) => [name, SQL_TYPES[(type?.text ?? '') as keyof typeof SQL_TYPES]] as const),
  ),
);
export const EXAMPLES = TABLES.find(({ header }) => header.startsWith('id |'));
export const attributes = (EXAMPLES?.header ?? '').split(' | ').map((name) => {
  const type = attributeTypes.get(name);
  if (type === undefined) throw new Error(`the page gives no type for ${name}`);
  return { name, ...type };
});

export function contextOf(dialect: Dialect): CompileContext {
  const columns: readonly Column[] = attributes.map((attribute) => ({
    name: attribute.name,
    data_type: attribute.data_type,
    source_type: attribute[dialect.name],
  }));
  return { dialect, columns, relation: '"rows"', nowMs: NOW_MS };
}
