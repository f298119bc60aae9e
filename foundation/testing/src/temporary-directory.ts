// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of one test; it and its content go when the test leaves the scope of its `await using`. */
export type TemporaryDirectory = AsyncDisposable & { readonly path: string };

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'sextant-'));
  return {
    path,
    // What a process that was killed a moment ago had started may still write there, hence the retries.
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}
