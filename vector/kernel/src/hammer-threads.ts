// SPDX-License-Identifier: Apache-2.0
/** For tests: threads of `threads.worker.ts`. They take one test after the other, since starting one takes longer than most that it then does. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Hammer, HammerReport } from './threads.worker.ts';

export class HammerThreads {
  readonly #workers: Worker[] = [];

  /** Resolves when a thread for each is about to begin; what they report comes later. */
  async start(hammers: readonly Hammer[]): Promise<readonly Promise<HammerReport>[]> {
    const workers = hammers.map((_, at) => {
      const worker = this.#workers[at] ?? new Worker(new URL('./threads.worker.ts', import.meta.url));
      this.#workers[at] = worker;
      return worker;
    });
    const begun = workers.map(async (worker, at) => {
      const ready = once(worker, 'message');
      worker.postMessage(hammers[at]);
      await ready;
      const report: Promise<HammerReport> = once(worker, 'message').then(([message]) => message);
      return { report };
    });
    return (await Promise.all(begun)).map(({ report }) => report);
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
