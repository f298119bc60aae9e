/**
 * Group commit: writes that wait for the same collection go into one transaction and one sync. Each is acknowledged after the
 * transaction is on disk and its vectors are in memory; each that is refused is refused alone.
 */

export type QueuedWrite = {
  readonly run: () => void;
  readonly done: (error?: Error) => void;
};

/** Writes in one transaction; more wait for the next, so that the first are not kept waiting. */
const GROUP_MAX = 64;

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
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, GROUP_MAX));
    this.#draining = undefined;
  }
}
