/** Delimited files as tables of text, for those who search a file without a service. */
import { DuckDBInstance } from '@duckdb/node-api';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { readRows } from '../engine/duckdb/database.ts';
import { type CellTable, openCellTable } from './cell-table.ts';

export type TextTable = AsyncDisposable & { readonly table: CellTable };

/** Reads a file of comma-separated values (RFC 4180, with a header) as it is written. */
export async function openTextTable(path: string, limits: { readonly memoryBytes: number; readonly threads: number }): Promise<TextTable> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(limits.threads),
    memory_limit: `${Math.floor(limits.memoryBytes / 2 ** 20)}MiB`,
  });
  const connection = await instance.connect();
  const query: CellTable['query'] = (sql) => readRows(connection, sql);
  const { identifier, literal } = duckdbDialect;
  await query(
    `CREATE TABLE texts AS SELECT * FROM read_csv(${literal(path)}, header = true, all_varchar = true, delim = ',', quote = '"', escape = '"', null_padding = true, strict_mode = false, parallel = false)`,
  );
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
