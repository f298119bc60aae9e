// SPDX-License-Identifier: Apache-2.0
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { duckdbDialect } from '../dialect/duckdb.ts';

/** Of all tests of a process, since opening a database takes longer than writing a small file. It holds no tables. */
let writer: Promise<DuckDBConnection> | undefined;

/** Writes the rows of a SELECT. */
export async function writeParquet(select: string, path: string, options: readonly string[] = []): Promise<void> {
  writer ??= DuckDBInstance.create(':memory:').then((instance) => instance.connect());
  const connection = await writer;
  await connection.run(`COPY (${select}) TO ${duckdbDialect.literal(path)} (${['FORMAT parquet', ...options].join(', ')})`);
}
