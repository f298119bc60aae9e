// SPDX-License-Identifier: Apache-2.0
/** Tables in memory, read from and written to the formats of vega-datasets. */

export type Cell = string | number | boolean | null;

export type Row = Readonly<Record<string, Cell>>;

export type Table = { readonly columns: readonly string[]; readonly rows: readonly Row[] };

export type TableFormat = 'csv' | 'json';

/** The text format of a file by its name; what is no text is delivered as CSV. */
export function formatOf(file: string): TableFormat {
  return file.endsWith('.json') ? 'json' : 'csv';
}

export function parseTable(text: string, format: TableFormat): Table {
  return format === 'csv' ? parseCsv(text) : parseJsonTable(text);
}

export function tableText({ columns, rows }: Table, format: TableFormat): string {
  if (format === 'csv') return csvText(columns, rows);
  const records = rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))));
  return `[${records.join(',\n')}]\n`;
}

function parseJsonTable(text: string): Table {
  // The package's tables are arrays of flat objects.
  const rows = JSON.parse(text) as readonly Row[];
  return { columns: Object.keys(rows[0] ?? {}), rows };
}

/** Enough for the package's files: fields in quotes hold commas, but neither quotes nor line breaks. An empty field is null. */
function parseCsv(text: string): Table {
  const [columns = [], ...lines] = text.trim().split(/\r?\n/).map(csvFields);
  const rows = lines.map((fields) => Object.fromEntries(columns.map((column, index) => [column, fields[index] || null])));
  return { columns, rows };
}

function csvFields(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

function csvText(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map((column) => csvField(row[column] ?? null)).join(','));
  return `${[columns.map(csvField).join(','), ...lines].join('\n')}\n`;
}

function csvField(value: Cell): string {
  const text = value === null ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
