// SPDX-License-Identifier: Apache-2.0
/**
 * Group commit: writes that wait for the same collection go into one transaction and one sync. Each is acknowledged after the
 * transaction is on disk and its vectors are in memory; each that is refused is refused alone.
 */
import type { LogMark } from '../model/write-operation.ts';

export type QueuedWrite = {
  /** Vectors that it puts. */
  readonly vectors: number;
  /** Where it stands in the log that it came from. */
  readonly mark?: LogMark | undefined;
  readonly run: () => void;
  readonly done: (error?: Error) => void;
};

/** Where a write comes from, and how much it brings. */
export type WriteOrigin = Partial<Pick<QueuedWrite, 'vectors' | 'mark'>>;

/** Writes in one transaction; more wait for the next, so that the first are not kept waiting. */
const GROUP_MAX = 64;
/** And vectors that they put: all of a group are scanned by searches from one moment on. */
const GROUP_VECTORS_MAX = 4096;

export class WriteQueue {
  readonly #commit: (group: readonly QueuedWrite[]) => Promise<void>;
  #waiting: QueuedWrite[] = [];
  #draining: Promise<void> | undefined;

  constructor(commit: (group: readonly QueuedWrite[]) => Promise<void>) {
    this.#commit = commit;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get isIdle(): boolean {
    return this.#draining === undefined;
  }

  add(write: QueuedWrite): void {
    this.#waiting.push(write);
    this.#draining ??= this.#drain();
  }

  /** Resolves when everything that was added before has been answered. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
  }

  async #drain(): Promise<void> {
    // Yielding once lets writes that arrived together share the first transaction.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, this.#groupLength()));
    this.#draining = undefined;
  }

  /** At least one, however large it is. */
  #groupLength(): number {
    let vectors = 0;
    const end = this.#waiting.findIndex((write, position) => {
      vectors += write.vectors;
      return position === GROUP_MAX || (position > 0 && vectors > GROUP_VECTORS_MAX);
    });
    return end === -1 ? this.#waiting.length : end;
  }
}
