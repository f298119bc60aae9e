// SPDX-License-Identifier: Apache-2.0
/** What the columns of SELECTs are made of, for callers who wait for it. */
import { ApiError } from '@sextant/contracts-observability';
import { columnsOfSelects, type Select, type SelectColumns } from '@sextant/observability-scan';
import { Turns } from './turns.ts';

/** Thousands of statements take seconds. */
const TIMEOUT_MS = 60_000;
const WAITING_MAX = 10;
const RETRY_SECONDS = 10;

export type ReadSelects = (selects: readonly Select[], signal: AbortSignal) => Promise<readonly SelectColumns[]>;

export function createReadSelects({ temporaryDirectory }: { readonly temporaryDirectory: string }): ReadSelects {
  // Each reads in a process of its own.
  const turns = new Turns({ running: 1, waiting: WAITING_MAX });
  return async (selects, signal) => {
    using turn = await turns.take();
    if (turn === undefined) throw new ApiError('overloaded', { seconds: RETRY_SECONDS });
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await columnsOfSelects(selects, { temporaryDirectory, signal: AbortSignal.any([signal, limit]) });
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error;
      throw new ApiError('bad_request', {
        reason: `reading the SQL of all models takes more than ${TIMEOUT_MS / 1000} s; send fewer models`,
      });
    }
  };
}
