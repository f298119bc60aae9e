// SPDX-License-Identifier: Apache-2.0
/** The tables of the benchmarks of scans, and what a scan of them may use. */
import { DuckDBInstance } from '@duckdb/node-api';

export const MEMORY_BYTES = 4 * 2 ** 30;
export const THREADS = 2;

export type FileFormat = 'csv' | 'parquet';

/** Ten columns of the kinds that tables have; wider tables repeat them with other values. */
const COLUMNS: readonly ((salt: number) => string)[] = [
  (salt) => `i * 7 + ${salt}`,
  (salt) => `CAST(hash(i + ${salt}) % 1000 AS INTEGER)`,
  (salt) => `CAST(hash(i + ${salt + 1}) % 1000000000 AS DOUBLE) / 1000`,
  (salt) => `CAST((hash(i + ${salt + 2}) % 100000000) / 100 AS DECIMAL(12, 2))`,
  (salt) => `DATE '2000-01-01' + CAST(hash(i + ${salt + 3}) % 9000 AS INTEGER)`,
  (salt) => `TIMESTAMP '2020-01-01' + to_seconds(CAST(hash(i + ${salt + 4}) % 100000000 AS BIGINT))`,
  (salt) => `'user ' || (hash(i + ${salt + 5}) % 100000) || '@example.com'`,
  (salt) => `md5(CAST(i + ${salt} AS VARCHAR))`,
  (salt) => `(['red', 'green', 'blue', NULL])[1 + CAST(hash(i + ${salt + 6}) % 4 AS INTEGER)]`,
  (salt) => `hash(i + ${salt + 7}) % 7 = 0`,
];

export async function withDuckdb(run: (execute: (sql: string) => Promise<unknown>) => Promise<void>): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(THREADS), memory_limit: `${MEMORY_BYTES / 2 ** 20}MiB` });
  const connection = await instance.connect();
  await run((sql) => connection.runAndReadAll(sql));
  connection.closeSync();
  instance.closeSync();
}

export async function generateTable({
  rows,
  columns,
  path,
  format,
}: {
  readonly rows: number;
  readonly columns: number;
  readonly path: string;
  readonly format: FileFormat;
}): Promise<void> {
  const select = Array.from({ length: columns }, (_, index) => `${COLUMNS[index % COLUMNS.length]?.(index * 31)} AS c${index}`);
  await withDuckdb(async (execute) => {
    await execute(`COPY (SELECT ${select.join(', ')} FROM range(${rows}) AS r(i)) TO '${path}' (FORMAT ${format})`);
  });
}
