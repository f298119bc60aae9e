// SPDX-License-Identifier: Apache-2.0
/**
 * Loads delimited text exactly as its reading says: nothing is guessed here. Rows that cannot be split into the columns are rejected; a value that
 * does not fit the type of its column is counted, and no value in the statistics.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DelimitedReading } from '@sextant/observability-connectors';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET, FILE, FILE_OF_ROW, pathList, REJECTED_SAMPLES, WITH_PATH } from './asset-relation.ts';
import { readRows } from './database.ts';
import { rowsByFile } from './file-rows.ts';
import type { FileToOpen, Loaded, Rejected } from './messages.ts';
import { narrowTypes } from './narrow-types.ts';
import { revisedTypes } from './revised-types.ts';
import { createTable, misfitsOf, type Texts, takeMismatches } from './text-table.ts';
import type { TextColumn } from './text-types.ts';

/** A reader holds a buffer for each thread; left to itself it takes sixteen of the longest lines. */
const LINE_BYTES_MAX = 8 * 2 ** 20;
const BUFFER_BYTES = 2 * LINE_BYTES_MAX;
const SAMPLE_CHARACTERS = 500;

export type Delimited = { readonly files: readonly FileToOpen[]; readonly reading: DelimitedReading };

const { literal } = duckdbDialect;

export async function loadDelimited(connection: DuckDBConnection, delimited: Delimited): Promise<Loaded> {
  let columns = columnsOf(delimited.files);
  if (columns.length === 0) {
    await connection.run(`CREATE TABLE ${ASSET} (${duckdbDialect.identifier('column0')} VARCHAR)`);
    return { rows: 0, rejected: { count: 0, samples: [] }, mismatches: [] };
  }
  for (;;) {
    await load(connection, delimited, columns);
    const { rows, misfits } = await misfitsOf(connection, columns);
    const revised = revisedTypes(columns, misfits);
    if (revised === undefined) {
      const mismatches = await takeMismatches(connection, columns, misfits);
      await narrowTypes(
        connection,
        columns.filter(({ isDeclared, isEmpty }) => !isDeclared && isEmpty).map(({ name }) => name),
      );
      return {
        rows,
        rejected: await rejectedRows(connection),
        mismatches,
        rowsByFile: await takeRowsByFile(connection, delimited.files, rows),
      };
    }
    columns = revised;
    await connection.run([ASSET, 'reject_errors', 'reject_scans'].map((table) => `DROP TABLE IF EXISTS ${table}`).join('; '));
  }
}

/** Of all files, by name, in the order in which they come first. */
function columnsOf(files: readonly FileToOpen[]): readonly TextColumn[] {
  const columns = new Map<string, TextColumn>();
  for (const column of files.flatMap((file) => file.columns)) if (!columns.has(column.name)) columns.set(column.name, column);
  return [...columns.values()];
}

async function load(connection: DuckDBConnection, { files, reading }: Delimited, columns: readonly TextColumn[]): Promise<void> {
  // Files whose columns differ are read one by one, so that each value comes to the column of its name.
  const alike = Map.groupBy(files, (file) => JSON.stringify(file.columns.map(({ name }) => name)));
  const parts = [...alike.values()].map((group): Texts => {
    const names = group[0]?.columns.map(({ name }) => name) ?? [];
    // As text, which no value contradicts: the reader's own casts take more for a number or a time than is meant.
    const struct = names.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ');
    const options = [`columns = {${struct}}`, ...optionsOf(reading), ...(files.length > 1 ? [WITH_PATH] : [])];
    return {
      relation: `read_csv(${pathList(group.map(({ link }) => link))}, ${options.join(', ')})`,
      names: new Set(names),
      native: new Set(),
      ...(files.length > 1 ? { file: FILE_OF_ROW } : {}),
    };
  });
  await createTable(connection, parts, { columns, conventions: reading });
}

function optionsOf({ separator, quote, escape: mark, header, skip, comment, null_words }: DelimitedReading): readonly string[] {
  return [
    'auto_detect = false',
    `delim = ${literal(separator)}`,
    `quote = ${literal(quote)}`,
    `escape = ${literal(mark)}`,
    `header = ${header}`,
    `skip = ${skip}`,
    ...(comment === '' ? [] : [`comment = ${literal(comment)}`]),
    `nullstr = [${['', ...null_words].map(literal).join(', ')}]`,
    `max_line_size = ${LINE_BYTES_MAX}`,
    `buffer_size = ${BUFFER_BYTES}`,
    'store_rejects = true',
    'rejects_limit = 0',
    // A quoted nothing is an empty string, an unquoted one is null.
    'allow_quoted_nulls = false',
  ];
}

async function rejectedRows(connection: DuckDBConnection): Promise<Rejected> {
  const [[counted] = []] = await readRows(connection, 'SELECT count(DISTINCT (scan_id, file_id, line)) FROM reject_errors');
  const count = Number(counted);
  if (count === 0) return { count, samples: [] };
  const samples = await readRows(
    connection,
    `SELECT line, left(any_value(csv_line), ${SAMPLE_CHARACTERS}) FROM reject_errors GROUP BY scan_id, file_id, line ORDER BY scan_id, file_id, line LIMIT ${REJECTED_SAMPLES}`,
  );
  return { count, samples: samples.map(([line, text]) => `line ${line}: ${text ?? ''}`) };
}

/** The rows of each file, and the table without its column of them. */
async function takeRowsByFile(connection: DuckDBConnection, files: readonly FileToOpen[], rows: number): Promise<readonly number[]> {
  if (files.length === 1) return [rows];
  const counts = await rowsByFile(connection, ASSET, files);
  await connection.run(`ALTER TABLE ${ASSET} DROP COLUMN ${FILE}`);
  return counts;
}
