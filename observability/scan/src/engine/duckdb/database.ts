// SPDX-License-Identifier: Apache-2.0
/** One in-memory DuckDB with limits, and the reading of rows from it. */
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import type { Cell, Row } from '../engine.ts';
import type { ProcessLimits } from './messages.ts';

/** The engine's own bookkeeping and the process around it are not counted in DuckDB's limit. */
const MEMORY_SHARE = 0.8;

export async function openDatabase(limits: ProcessLimits): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: String(limits.threads),
    memory_limit: `${Math.floor((limits.memoryBytes * MEMORY_SHARE) / 1024)}KiB`,
    temp_directory: limits.spillDirectory,
    max_temp_directory_size: `${Math.floor(limits.temporaryBytes / 1024)}KiB`,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
  const connection = await instance.connect();
  // The database lives as long as its connection.
  instance.closeSync();
  // Without the bar there is no progress to ask for.
  await connection.run('SET enable_progress_bar = true; SET enable_progress_bar_print = false');
  return connection;
}

/** From here on no statement reaches a file, a network or a setting; the files of the asset alone stay readable. */
export async function lockDatabase(connection: DuckDBConnection, readablePaths: readonly string[]): Promise<void> {
  const paths = readablePaths.map((path) => `'${path.replaceAll("'", "''")}'`).join(', ');
  await connection.run(`SET allowed_paths = [${paths}]; SET enable_external_access = false; SET lock_configuration = true`);
}

export async function readRows(connection: DuckDBConnection, sql: string): Promise<readonly Row[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRows().map((row) => row.map(cellOf));
}

function cellOf(value: DuckDBValue): Cell {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value;
    default:
      // Our own statements cast everything else; what a tenant selects is shown as DuckDB writes it.
      return value === null ? null : String(value);
  }
}
