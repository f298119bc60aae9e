// SPDX-License-Identifier: Apache-2.0
/** Runs jobs one after the other, whether or not those before have failed. */
export class JobQueue {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether no job runs or waits. */
  get isIdle(): boolean {
    return this.#waiting === 0;
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
