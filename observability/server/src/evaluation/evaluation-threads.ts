// SPDX-License-Identifier: Apache-2.0
/**
 * Runs evaluations on threads of their own: thousands of series with years of history take seconds, which requests must not wait for, and an
 * evaluation that never ends or eats all memory ends alone. One thread is kept for the next evaluation: starting one takes longer than most evaluations.
 */
import { Worker } from 'node:worker_threads';
import { compileCacheEnvironment, traced } from '@sextant/foundation-std';
import type { EvaluatedInput, EvaluationInput } from './evaluation-input.ts';
import { buffersOf } from './past.ts';

/** Rejects when the evaluation fails or hits a limit, and with the signal's reason. */
export type Evaluate = (input: EvaluationInput, signal: AbortSignal) => Promise<EvaluatedInput>;

const TIMEOUT_MS = 300_000;
const MEMORY_MB = 1024;

export class EvaluationThreads {
  #idle: Worker | undefined;
  #isClosed = false;

  readonly evaluate: Evaluate = async (input, cancelled) => {
    cancelled.throwIfAborted();
    const worker = this.#idle ?? this.#start();
    this.#idle = undefined;
    worker.ref();
    try {
      const signal = AbortSignal.any([cancelled, AbortSignal.timeout(TIMEOUT_MS)]);
      const evaluation = await traced({ name: 'evaluate' }, () => ask(worker, input, signal));
      await this.#keep(worker);
      return evaluation;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#idle?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./evaluation-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      name: 'evaluation',
      env: { ...compileCacheEnvironment(), ...process.env },
    });
    // Whoever asks listens too; these are for a thread that fails while nobody does.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#idle === worker) this.#idle = undefined;
    });
    return worker;
  }

  async #keep(worker: Worker): Promise<void> {
    if (this.#idle !== undefined || this.#isClosed) return void (await worker.terminate());
    this.#idle = worker;
    // It must not keep the process alive.
    worker.unref();
  }
}

async function ask(worker: Worker, input: EvaluationInput, signal: AbortSignal): Promise<EvaluatedInput> {
  const { promise, resolve, reject } = Promise.withResolvers<EvaluatedInput>();
  const onExit = () => reject(new Error('the evaluation ended without an answer'));
  // The signal's reason is an error by all who abort here.
  const onAbort = () => reject(signal.reason as Error);
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', onExit);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    worker.postMessage(input, [input.past, ...input.parents.map(({ past }) => past)].flatMap(buffersOf));
    return await promise;
  } finally {
    worker.off('message', resolve).off('error', reject).off('exit', onExit);
    signal.removeEventListener('abort', onAbort);
  }
}
