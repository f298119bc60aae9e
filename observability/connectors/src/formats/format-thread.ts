// SPDX-License-Identifier: Apache-2.0
/** Runs what reads a whole file on a thread of its own, since a large file takes seconds and a hostile one all memory. */
import { Worker } from 'node:worker_threads';
import { compileCacheEnvironment } from '@sextant/foundation-std';
import { SourceError } from '../connector.ts';

const MEMORY_MB = 1024;
const TIMEOUT_MS = 120_000;

export type FormatThread<Request> = {
  readonly module: URL;
  readonly request: Request;
  /** Of the file, for sentences. */
  readonly name: string;
  /** What its format is called, in the plural, and what to save it as instead. */
  readonly formats: string;
  readonly instead: string;
  readonly signal?: AbortSignal;
};

/** One at a time: each may take all the memory that there is for it. */
let last: Promise<unknown> = Promise.resolve();

/** The one message that the thread answers; its module and its caller agree on the type. */
export function askThread<Request, Answer>(thread: FormatThread<Request>): Promise<Answer> {
  const answer = last.then(() => run<Request, Answer>(thread));
  last = answer.catch(() => undefined);
  return answer;
}

async function run<Request, Answer>({ module, request, name, formats, instead, signal: ended }: FormatThread<Request>): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = ended === undefined ? timeout : AbortSignal.any([ended, timeout]);
  signal.throwIfAborted();
  const worker = new Worker(module, {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    name: 'format',
    env: { ...compileCacheEnvironment(), ...process.env },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const onAbort = () =>
    // The signal's reason is an error by all who abort here.
    reject(
      timeout.aborted
        ? refused(`${name} takes longer to read than ${TIMEOUT_MS / 1000} s, the limit of ${formats}; ${instead}`)
        : (signal.reason as Error),
    );
  signal.addEventListener('abort', onAbort, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: Error & { readonly code?: string }) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? refused(`${name} needs more memory than ${MEMORY_MB} MiB, the limit of ${formats}; ${instead}`)
        : error,
    ),
  );
  worker.once('exit', () => reject(refused(`${name} cannot be read: its thread ended`)));
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function refused(reason: string): SourceError {
  return new SourceError(reason, { member: 'payload.path' });
}
