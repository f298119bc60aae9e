// SPDX-License-Identifier: Apache-2.0
/** Delimited files as tables of text, for those who search a file without a service. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { lockDatabase, readRows } from '../engine/duckdb/database.ts';
import { type CellTable, openCellTable } from './cell-table.ts';

export type TextTable = AsyncDisposable & { readonly table: CellTable };

/** Reads a file of comma-separated values (RFC 4180, with a header) as it is written. */
export async function openTextTable(path: string, limits: { readonly memoryBytes: number; readonly threads: number }): Promise<TextTable> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(limits.threads),
    memory_limit: `${Math.floor(limits.memoryBytes / 2 ** 20)}MiB`,
    // Else it would be a folder of where the program was started.
    temp_directory: join(tmpdir(), `sextant-cells-${process.pid}`),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  const query: CellTable['query'] = (sql) => readRows(connection, sql);
  const { identifier, literal } = duckdbDialect;
  await query(
    `CREATE TABLE texts AS SELECT * FROM read_csv(${literal(path)}, header = true, all_varchar = true, delim = ',', quote = '"', escape = '"', null_padding = true, strict_mode = false, parallel = false)`,
  );
  await lockDatabase(connection, []);
  const described = await query('SELECT column_name FROM (DESCRIBE texts)');
  const columns = described.map(([name]) => ({ name: String(name), text: identifier(String(name)) }));
  const table = await openCellTable({ relation: 'texts', rowId: 'rowid', columns, query });
  return {
    table,
    [Symbol.asyncDispose]: () => {
      connection.closeSync();
      instance.closeSync();
      return Promise.resolve();
    },
  };
}
