// SPDX-License-Identifier: Apache-2.0
/**
 * Statements of a scan on the thread of the test: what they answer is the same as in a process of their own, whose start takes ten times as long as
 * a small scan. What the process itself promises is tested with it.
 */
import { join } from 'node:path';
import type { Column, OpenedSource } from '@sextant/observability-connectors';
import { AssetStatements } from '../engine/duckdb/asset-statements.ts';
import { openDuckdbEngine } from '../engine/duckdb/duckdb-engine.ts';
import type { OpenAssetClient } from '../engine/duckdb/messages.ts';
import { type Engine, ScanError } from '../engine/engine.ts';
import { scansOf } from '../run-scan.ts';
import { testLimits } from './test-limits.ts';

export const onThreadOfTest: OpenAssetClient = () => {
  const statements = new AssetStatements({
    onStuck: (reason) => {
      throw new Error(reason);
    },
  });
  return {
    call: (request) =>
      statements.answer(request).catch((error: unknown) => {
        throw new ScanError(statements.reasonOf(error, request));
      }),
    [Symbol.asyncDispose]: async () => statements.close(),
  };
};

export const scanOnThread = scansOf(onThreadOfTest);

/** Over files, with the limits of tests. */
export async function engineOnThread(
  { data }: OpenedSource,
  directory: string,
  { declared = new Map(), isNumbered = false }: { readonly declared?: ReadonlyMap<string, Column>; readonly isNumbered?: boolean } = {},
): Promise<Engine> {
  if (data.kind !== 'files') throw new Error('expected files');
  return openDuckdbEngine(
    { data, declared, isNumbered },
    { limits: testLimits(join(directory, 'scans')), signal: new AbortController().signal, onProgress: () => undefined },
    onThreadOfTest,
  );
}
