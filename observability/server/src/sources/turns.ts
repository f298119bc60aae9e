// SPDX-License-Identifier: Apache-2.0
/** Lets so many run at once and so many wait. */
export class Turns {
  readonly #max: { readonly running: number; readonly waiting: number };
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(max: { readonly running: number; readonly waiting: number }) {
    this.#max = max;
  }

  /** Undefined where too many wait already. */
  async take(): Promise<Disposable | undefined> {
    if (this.#running >= this.#max.running) {
      if (this.#waiting.length >= this.#max.waiting) return undefined;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    return { [Symbol.dispose]: () => this.#leave() };
  }

  /** The turn goes to whoever waits longest. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
