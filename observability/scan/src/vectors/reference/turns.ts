// SPDX-License-Identifier: Apache-2.0
/** Long calculations on the thread that also answers requests: they let the event loop go on now and then. */
import { setImmediate } from 'node:timers/promises';

/** To be called with how many multiplications come next. Rejects with the signal's reason when it aborts. */
export type Turn = (operations: number) => Promise<void>;

/** About five milliseconds. */
const OPERATIONS_PER_TURN = 4_000_000;

export function turns(signal: AbortSignal): Turn {
  let done = 0;
  return async (operations) => {
    done += operations;
    if (done < OPERATIONS_PER_TURN) return;
    done = 0;
    await setImmediate();
    signal.throwIfAborted();
  };
}
