// SPDX-License-Identifier: Apache-2.0
/**
 * Runs what reads a whole file on a thread of its own, since a large file takes seconds and a hostile one all memory. The thread is kept for a moment,
 * since a file is described, then written, and starting a thread takes longer than reading most files.
 */
import { Worker } from 'node:worker_threads';
import { compileCacheEnvironment, systemClock, type Timer } from '@sextant/foundation-std';
import { SourceError } from '../connector.ts';

const MEMORY_MB = 1024;
const TIMEOUT_MS = 120_000;
/** What it has read stays in its memory until it ends. */
const KEPT_MS = 5000;

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

type Idle = { readonly worker: Worker; readonly module: URL; readonly end: Timer };

let idle: Idle | undefined;

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
  const worker = await threadOf(module);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const onAbort = () =>
    // The signal's reason is an error by all who abort here.
    reject(
      timeout.aborted
        ? refused(`${name} takes longer to read than ${TIMEOUT_MS / 1000} s, the limit of ${formats}; ${instead}`)
        : (signal.reason as Error),
    );
  signal.addEventListener('abort', onAbort, { once: true });
  const onError = (error: Error & { readonly code?: string }) =>
    reject(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? refused(`${name} needs more memory than ${MEMORY_MB} MiB, the limit of ${formats}; ${instead}`)
        : error,
    );
  const onExit = () => reject(refused(`${name} cannot be read: its thread ended`));
  worker.once('message', resolve).once('error', onError).once('exit', onExit);
  try {
    worker.postMessage(request);
    const answer = await promise;
    worker.off('error', onError).off('exit', onExit);
    keep(worker, module);
    return answer;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The one that is kept, where it reads the same formats. */
async function threadOf(module: URL): Promise<Worker> {
  const kept = idle;
  idle = undefined;
  kept?.end.cancel();
  if (kept?.module.href === module.href) {
    kept.worker.ref();
    return kept.worker;
  }
  await kept?.worker.terminate();
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    name: 'format',
    env: { ...compileCacheEnvironment(), ...process.env },
  });
  // Whoever asks listens too; this is for a thread that fails while nobody does.
  worker.on('error', () => undefined);
  worker.once('exit', () => {
    if (idle?.worker === worker) idle = undefined;
  });
  return worker;
}

/** It keeps no process alive. */
function keep(worker: Worker, module: URL): void {
  worker.unref();
  const end = systemClock
    .after(KEPT_MS, () => {
      idle = undefined;
      void worker.terminate();
    })
    .unref();
  idle = { worker, module, end };
}

function refused(reason: string): SourceError {
  return new SourceError(reason, { member: 'payload.path' });
}
