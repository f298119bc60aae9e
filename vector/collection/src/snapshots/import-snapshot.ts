// SPDX-License-Identifier: Apache-2.0
/** Takes in the data of a snapshot in a process of its own, whose end by damage or by malice ends nothing else. */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ServiceError } from '@sextant/contracts-vector';
import { type Clock, compileCacheEnvironment } from '@sextant/foundation-std';
import type { Log } from '../model/log.ts';
import type { ExpectedPart } from '../model/shards.ts';

export type ImportTask = {
  /** `data.mdb` of the snapshot. */
  readonly file: string;
  /** Gets the store. */
  readonly directory: string;
  readonly part: ExpectedPart;
};

export type ImportReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'copied'; readonly bytes: number }
  | { readonly kind: 'checked'; readonly rows: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly reason: string };

export type ImportOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the import. */
  readonly signal: AbortSignal;
  readonly memoryBytesMax?: number;
};

/** Resolves when the directory holds a collection that can be opened and served. */
export type ImportSnapshot = (task: ImportTask, options: ImportOptions) => Promise<void>;

/** What the process may take beside the files that it maps: a crafted record may be as long as it says. */
const MEMORY_BYTES_MAX = 2 * 1024 ** 3;
const MEMORY_POLL_MS = 250;
const PROCESS = new URL('./import-process.ts', import.meta.url);
/** Records are looked at one by one; the set of live rows takes half a gigabyte at most. */
const HEAP_MIB = 1024;
/** Between two words in the log. */
const BYTES_WORTH_TELLING = 1024 * 1024 * 1024;

/**
 * Resolves when `directory` holds a collection that can be opened and served.
 * @throws ServiceError `snapshot_invalid`
 */
export async function importSnapshot(
  task: ImportTask,
  { clock, log, signal, memoryBytesMax = MEMORY_BYTES_MAX }: ImportOptions,
): Promise<void> {
  signal.throwIfAborted();
  const child = fork(PROCESS, {
    // Nothing of the service's own environment: what the process reads may take it over.
    env: compileCacheEnvironment(),
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, '--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let last: ImportReport | undefined;
  let isTooLarge = false;
  const checkMemory = () => {
    isTooLarge ||= ownMemoryBytes(child.pid) > memoryBytesMax;
    if (isTooLarge) kill();
  };
  const watch = clock.every(MEMORY_POLL_MS, checkMemory);
  let toldBytes = 0;
  child.on('message', (report: ImportReport) => {
    last = report;
    checkMemory();
    // Where it has died meanwhile, its exit says so.
    if (report.kind === 'ready') child.send(task, () => undefined);
    if (report.kind !== 'copied' || report.bytes - toldBytes < BYTES_WORTH_TELLING) return;
    toldBytes = report.bytes;
    log.info({ bytes: report.bytes }, 'taking in a snapshot');
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => resolve());
    });
  } finally {
    watch.cancel();
    signal.removeEventListener('abort', kill);
  }
  signal.throwIfAborted();
  if (last?.kind === 'done') return;
  if (isTooLarge)
    throw new ServiceError('snapshot_invalid', { reason: `reading the file takes more than ${memoryBytesMax} bytes of memory` });
  const reason = last?.kind === 'refused' ? last.reason : 'its data are damaged';
  throw new ServiceError('snapshot_invalid', { reason: `the file is not usable: ${reason}` });
}

/** Without the files that it maps; 0 where the system does not say. */
function ownMemoryBytes(pid: number | undefined): number {
  try {
    return 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
