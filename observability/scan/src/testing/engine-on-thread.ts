// SPDX-License-Identifier: Apache-2.0
/**
 * Statements of a scan on the thread of the test: what they answer is the same as in a process of their own, whose start takes ten times as long as
 * a small scan. What the process itself promises is tested with it.
 */
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Column, OpenedSource } from '@sextant/observability-connectors';
import { AssetStatements } from '../engine/duckdb/asset-statements.ts';
import { openDatabase } from '../engine/duckdb/database.ts';
import { openDuckdbEngine } from '../engine/duckdb/duckdb-engine.ts';
import type { AssetClient, OpenAssetClient } from '../engine/duckdb/messages.ts';
import { type Engine, ScanError } from '../engine/engine.ts';
import { scansOf } from '../run-scan.ts';
import { testLimits } from './test-limits.ts';

export const onThreadOfTest: OpenAssetClient = () => {
  const statements = new AssetStatements({ onStuck });
  return { call: answersOf(statements), [Symbol.asyncDispose]: async () => statements.close() };
};

function onStuck(reason: string): never {
  throw new Error(reason);
}

function answersOf(statements: AssetStatements): AssetClient['call'] {
  return (request) =>
    statements.answer(request).catch((error: unknown) => {
      throw new ScanError(statements.reasonOf(error, request));
    });
}

export type SharedDatabase = Disposable & { readonly openClient: OpenAssetClient };

/**
 * One database that takes one asset after the other, since opening a database takes longer than reading a small file. It is not locked: no statement of a tenant
 * may run in it.
 */
export function sharedDatabase(): SharedDatabase {
  let connection: DuckDBConnection | undefined;
  const open: typeof openDatabase = async (limits) => {
    connection ??= await openDatabase(limits);
    await connection.run('DROP SCHEMA IF EXISTS of_asset CASCADE; CREATE SCHEMA of_asset; USE of_asset');
    await connection.run('DROP TABLE IF EXISTS temp.reject_errors; DROP TABLE IF EXISTS temp.reject_scans');
    return connection;
  };
  const database = { open, lock: async () => undefined };
  return {
    openClient: () => ({ call: answersOf(new AssetStatements({ onStuck, database })), [Symbol.asyncDispose]: async () => undefined }),
    [Symbol.dispose]: () => connection?.closeSync(),
  };
}

export const scanOnThread = scansOf(onThreadOfTest);

/** Over files, with the limits of tests. */
export async function engineOnThread(
  { data }: OpenedSource,
  directory: string,
  {
    declared = new Map(),
    isNumbered = false,
    openClient = onThreadOfTest,
  }: { readonly declared?: ReadonlyMap<string, Column>; readonly isNumbered?: boolean; readonly openClient?: OpenAssetClient } = {},
): Promise<Engine> {
  if (data.kind !== 'files') throw new Error('expected files');
  return openDuckdbEngine(
    { data, declared, isNumbered },
    { limits: testLimits(join(directory, 'scans')), signal: new AbortController().signal, onProgress: () => undefined },
    openClient,
  );
}
