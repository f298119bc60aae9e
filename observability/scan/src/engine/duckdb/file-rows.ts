// SPDX-License-Identifier: Apache-2.0
/** How many rows each of several files has. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { FILE, pathList } from './asset-relation.ts';
import { readRows } from './database.ts';
import type { FileToOpen } from './messages.ts';

/** By the column of a table that says which file a row is of. */
export async function rowsByFile(connection: DuckDBConnection, table: string, files: readonly FileToOpen[]): Promise<readonly number[]> {
  return inOrder(files, await readRows(connection, `SELECT ${FILE}, count(*) FROM ${table} GROUP BY ${FILE}`));
}

/** By what the files say of themselves. */
export async function rowsOfParquet(connection: DuckDBConnection, files: readonly FileToOpen[]): Promise<readonly number[]> {
  const paths = pathList(files.map(({ link }) => link));
  const place = "CAST(regexp_extract(file_name, '[0-9]+$') AS INTEGER)";
  return inOrder(files, await readRows(connection, `SELECT ${place}, num_rows FROM parquet_file_metadata(${paths})`));
}

function inOrder(files: readonly FileToOpen[], counted: Awaited<ReturnType<typeof readRows>>): readonly number[] {
  const rows = new Map(counted.map(([place, count]) => [Number(place), Number(count)]));
  return files.map((_, index) => rows.get(index) ?? 0);
}
