/** Work that looks for more of itself again and again: one turn at a time, at once when it is woken, else after a pause. */

export type LoopOptions = {
  /** True when there may be more to do at once. */
  readonly turn: () => Promise<boolean>;
  readonly pauseMs: number;
  /** Hears why a turn failed; the next one comes after the pause. */
  readonly onError: (error: unknown) => void;
};

export class Loop {
  readonly #options: LoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = false;

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** Starts the loop, or has it look at once. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isWoken = true;
    if (this.#current !== undefined) return;
    clearTimeout(this.#timer);
    this.#current = this.#run();
  }

  /** No turn begins after this; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#current;
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      try {
        if (await this.#options.turn()) this.#isWoken = true;
      } catch (error) {
        this.#options.onError(error);
      }
    }
    this.#current = undefined;
    if (!this.#isStopped) this.#timer = setTimeout(() => this.wake(), this.#options.pauseMs);
  }
}
