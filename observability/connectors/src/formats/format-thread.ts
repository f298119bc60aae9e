// SPDX-License-Identifier: Apache-2.0
/**
 * Runs what reads a whole file on a thread of its own, since a large file takes seconds and a hostile one all memory. The thread is kept for a moment,
 * since a file is described, then written, and starting a thread takes longer than reading most files. It is kept for files of one folder alone: those who may
 * read one of them may read all, and what a hostile file leaves on the thread meets no file of anybody else.
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
  /** In which the file is; what lies elsewhere has a thread for itself. */
  readonly folder: string | undefined;
  /** Of the file, for sentences. */
  readonly name: string;
  /** What its format is called, in the plural, and what to save it as instead. */
  readonly formats: string;
  readonly instead: string;
  readonly signal?: AbortSignal;
};

/** One at a time: each may take all the memory that there is for it. */
let last: Promise<unknown> = Promise.resolve();

type Place = Pick<FormatThread<unknown>, 'module' | 'folder'>;
type Idle = { readonly worker: Worker; readonly place: Place; readonly end: Timer };

let idle: Idle | undefined;

/** The one message that the thread answers; its module and its caller agree on the type. */
export function askThread<Request, Answer>(thread: FormatThread<Request>): Promise<Answer> {
  const answer = last.then(() => run<Request, Answer>(thread));
  last = answer.catch(() => undefined);
  return answer;
}

async function run<Request, Answer>({
  module,
  request,
  folder,
  name,
  formats,
  instead,
  signal: ended,
}: FormatThread<Request>): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = ended === undefined ? timeout : AbortSignal.any([ended, timeout]);
  signal.throwIfAborted();
  const place = { module, folder };
  const worker = await threadOf(place);
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
    if (folder === undefined) await worker.terminate();
    else keep(worker, place);
    return answer;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The one that is kept, where it reads the same formats and the same folder. */
async function threadOf({ module, folder }: Place): Promise<Worker> {
  const kept = idle;
  idle = undefined;
  kept?.end.cancel();
  if (kept?.place.module.href === module.href && folder !== undefined && kept.place.folder === folder) {
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
function keep(worker: Worker, place: Place): void {
  worker.unref();
  const end = systemClock
    .after(KEPT_MS, () => {
      idle = undefined;
      void worker.terminate();
    })
    .unref();
  idle = { worker, place, end };
}

function refused(reason: string): SourceError {
  return new SourceError(reason, { member: 'payload.path' });
}
