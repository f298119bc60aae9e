// SPDX-License-Identifier: Apache-2.0
/**
 * How far the end of the service is, in memory that all threads share: a thread in the middle of long work hears no message, but it can look here
 * between two steps.
 */
const RUNNING = 0;
const ENDING = 1;
const HURRIED = 2;

export class Ending {
  readonly #state: Int32Array;

  constructor(shared: SharedArrayBuffer) {
    this.#state = new Int32Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  begin(): void {
    Atomics.compareExchange(this.#state, 0, RUNNING, ENDING);
    Atomics.notify(this.#state, 0);
  }

  /** Little time is left: what can be made again is not worth any of it. */
  hurry(): void {
    Atomics.store(this.#state, 0, HURRIED);
    Atomics.notify(this.#state, 0);
  }

  /** Resolves when the service begins to end; the thread is free until then. */
  async begun(): Promise<void> {
    await Atomics.waitAsync(this.#state, 0, RUNNING).value;
  }

  get isHurried(): boolean {
    return Atomics.load(this.#state, 0) === HURRIED;
  }
}
