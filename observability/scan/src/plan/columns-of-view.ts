// SPDX-License-Identifier: Apache-2.0
/** What the columns of views and models are made of. DuckDB parses their SELECTs, and runs nothing, in the confined process of scans. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '@sextant/foundation-std';
import { ProcessClient } from '../engine/duckdb/process-client.ts';
import { ScanError } from '../engine/engine.ts';
import { type ColumnsOfTable, type Output, type Sources, selectColumns } from './select-columns.ts';
import type { PlanningOptions } from './sql-fault.ts';

const LIMITS = { memoryBytes: 256 * 2 ** 20, temporaryBytes: 2 ** 20, threads: 1 };
/** Beyond it, a tree takes longer than a scan should wait. */
const SQL_MAX = 100_000;

export type Select = { readonly sql: string; readonly columnsOfTable?: ColumnsOfTable };
export type SelectColumns = readonly Output[] | undefined;

/** In the order of the columns; undefined where nothing is known of them. */
export async function columnsOfView(sql: string, options: PlanningOptions): Promise<readonly Sources[] | undefined> {
  const [columns] = await columnsOfSelects([{ sql }], options);
  return columns?.map(({ sources }) => sources);
}

/** Of each SELECT the columns in their order; undefined where nothing is known of them. */
export async function columnsOfSelects(
  selects: readonly Select[],
  { temporaryDirectory, signal }: PlanningOptions,
): Promise<readonly SelectColumns[]> {
  if (selects.every(({ sql }) => !isRead(sql))) return selects.map(() => undefined);
  await mkdir(temporaryDirectory, { recursive: true });
  const directory = await mkdtemp(join(temporaryDirectory, 'parse-'));
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  const client = cleanUp.use(new ProcessClient({ directory, signal, onProgress: () => undefined }));
  const limits = { ...LIMITS, spillDirectory: join(directory, 'spill') };
  const parsed: SelectColumns[] = [];
  try {
    await client.call({ kind: 'empty', columns: [{ name: 'none', type: 'INTEGER' }], limits });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ScanError) return selects.map(() => undefined);
    throw error;
  }
  for (const select of selects) parsed.push(isRead(select.sql) ? await outputsOf(select) : undefined);
  return parsed;

  async function outputsOf({ sql, columnsOfTable }: Select): Promise<SelectColumns> {
    try {
      const [[tree] = []] = (await client.call({ kind: 'parse', sql })).rows;
      return selectColumns(parseJson(String(tree)), columnsOfTable);
    } catch (error) {
      signal.throwIfAborted();
      // A statement that the parser does not take is one of which nothing is known.
      if (error instanceof ScanError) return undefined;
      throw error;
    }
  }
}

function isRead(sql: string): boolean {
  return sql !== '' && sql.length <= SQL_MAX;
}
