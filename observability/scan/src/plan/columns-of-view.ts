// SPDX-License-Identifier: Apache-2.0
/** What the columns of a view are made of. DuckDB parses its SELECT, and runs nothing, in the confined process of scans. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@sextant/foundation-std';
import { ProcessClient } from '../engine/duckdb/process-client.ts';
import { ScanError } from '../engine/engine.ts';
import { type Sources, selectColumns } from './select-columns.ts';
import type { PlanningOptions } from './sql-fault.ts';

const LIMITS = { memoryBytes: 256 * 2 ** 20, temporaryBytes: 2 ** 20, threads: 1 };
/** Beyond it, a tree takes longer than a scan should wait. */
const SQL_MAX = 100_000;

/** In the order of the columns; undefined where nothing is known of them. */
export async function columnsOfView(sql: string, options: PlanningOptions): Promise<readonly Sources[] | undefined> {
  if (sql.length > SQL_MAX) return undefined;
  const { temporaryDirectory, signal } = options;
  await mkdir(temporaryDirectory, { recursive: true });
  const directory = await mkdtemp(join(temporaryDirectory, 'parse-'));
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  const client = cleanUp.use(new ProcessClient({ directory, signal, onProgress: () => undefined }));
  const limits = { ...LIMITS, spillDirectory: join(directory, 'spill') };
  try {
    await client.call({ kind: 'empty', columns: [{ name: 'none', type: 'INTEGER' }], limits });
    const [[tree] = []] = (await client.call({ kind: 'parse', sql })).rows;
    return selectColumns(parseJson(String(tree)));
  } catch (error) {
    signal.throwIfAborted();
    // A statement that the parser does not take is one of which nothing is known.
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}
