/**
 * Runs an evaluation on a thread of its own: thousands of series with years of history take seconds, which requests must not wait for, and an
 * evaluation that never ends or eats all memory ends alone.
 */
import { Worker } from 'node:worker_threads';
import type { Evaluation } from '@sextant/observability-monitors';
import type { EvaluationInput } from './evaluation-input.ts';
import { buffersOf } from './past.ts';

/** Rejects when the evaluation fails or hits a limit, and with the signal's reason. */
export type Evaluate = (input: EvaluationInput, signal: AbortSignal) => Promise<Evaluation>;

const TIMEOUT_MS = 300_000;
const MEMORY_MB = 1024;

export const evaluateApart: Evaluate = (input, cancelled) => {
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(TIMEOUT_MS)]);
  const { promise, resolve, reject } = Promise.withResolvers<Evaluation>();
  signal.throwIfAborted();
  const worker = new Worker(new URL('./evaluation-thread.ts', import.meta.url), {
    workerData: input,
    transferList: [input.past, ...input.parents.map(({ past }) => past)].flatMap(buffersOf),
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    name: 'evaluation',
  });
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the evaluation ended without an answer')));
  // The signal's reason is an error by all who abort here.
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  return promise.finally(() => worker.terminate());
};
