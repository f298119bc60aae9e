// SPDX-License-Identifier: Apache-2.0
/** A bound on the uploads and downloads of all serving threads, each of which has a file open beside its connection. */
import { ServiceError } from '@sextant/contracts-vector';
import { TRANSFERS_MAX } from './descriptor-plan.ts';

const RETRY_SECONDS = 5;

export class Transfers {
  readonly #running: Int32Array;

  /** @param shared one counter for all threads; see `allocate` */
  constructor(shared: SharedArrayBuffer) {
    this.#running = new Int32Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  /** Takes a place, and returns how to release it, which may be called more than once; throws `snapshots_busy` when there is none. */
  take(): () => void {
    if (Atomics.add(this.#running, 0, 1) >= TRANSFERS_MAX) {
      Atomics.sub(this.#running, 0, 1);
      throw new ServiceError('snapshots_busy', { seconds: RETRY_SECONDS });
    }
    let isTaken = true;
    return () => {
      if (isTaken) Atomics.sub(this.#running, 0, 1);
      isTaken = false;
    };
  }
}
