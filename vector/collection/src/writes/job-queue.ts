// SPDX-License-Identifier: Apache-2.0
/** Runs jobs one after the other, whether or not those before have failed. */
export class JobQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Jobs that run or wait. */
  get length(): number {
    return this.#waiting;
  }

  /** Resolves when all that were added have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }

  run<Result>(job: () => Promise<Result>): Promise<Result> {
    this.#waiting++;
    const ran = this.#last.then(job).finally(() => {
      this.#waiting--;
    });
    this.#last = ran.catch(() => undefined);
    return ran;
  }
}
