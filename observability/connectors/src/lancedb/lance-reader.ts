// SPDX-License-Identifier: Apache-2.0
/** The service's side of the process that reads LanceDB. */
import { fork } from 'node:child_process';
import { compileCacheEnvironment } from '@sextant/foundation-std';
import { SourceError } from '../connector.ts';
import type { LanceAnswer, LanceRequest } from './lance-messages.ts';

const PROCESS_MODULE = new URL('./lance-process.ts', import.meta.url);
const HEAP_MIB = 512;
/** Of the whole process: LanceDB reads pages of some thousand rows, each with 1 MiB beside its vectors at most. */
const MEMORY_BYTES_MAX = 2 * 1024 ** 3;

/** Disposing it ends the process. */
export type LanceReader = AsyncDisposable & {
  /** One at a time. Throws a `SourceError` for what cannot be read, and where the process ended. */
  readonly ask: <Kind extends LanceAnswer['kind']>(request: LanceRequest, kind: Kind) => Promise<Extract<LanceAnswer, { kind: Kind }>>;
};

export function startLanceReader(signal: AbortSignal, memoryBytesMax = MEMORY_BYTES_MAX): LanceReader {
  const { NODE_PATH } = process.env;
  const child = fork(PROCESS_MODULE, [String(memoryBytesMax)], {
    // Of the environment only what finds packages: the rest may hold secrets.
    env: { ...compileCacheEnvironment(), ...(NODE_PATH !== undefined && { NODE_PATH }) },
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, '--no-warnings'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let waiting: PromiseWithResolvers<LanceAnswer> | undefined;
  let ended: Error | undefined;
  const { promise: exited, resolve: exit } = Promise.withResolvers<void>();
  const end = (reason: Error) => {
    ended ??= reason;
    waiting?.reject(ended);
    waiting = undefined;
    child.kill('SIGKILL');
  };
  // The signal's reason is an error by all who abort here.
  const onAbort = () => end(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  // A process that is gone may fail more than once.
  child.on('error', (cause) => {
    end(new SourceError('the reader of LanceDB could not be started', { cause }));
    exit();
  });
  child.once('exit', (code, cause) => {
    signal.removeEventListener('abort', onAbort);
    end(
      new SourceError(
        `the reader of LanceDB ended unexpectedly (${cause ?? `code ${code}`}); the table may be damaged, or need more memory than the limit`,
      ),
    );
    exit();
  });
  child.on('message', (answer: LanceAnswer) => {
    if (answer.kind === 'ended') {
      end(new SourceError(answer.reason, { member: 'payload.table' }));
      return;
    }
    const asked = waiting;
    waiting = undefined;
    if (answer.kind === 'refused')
      asked?.reject(new SourceError(answer.reason, answer.member === undefined ? {} : { member: answer.member }));
    else asked?.resolve(answer);
  });
  if (signal.aborted) onAbort();
  return {
    ask: async (request, kind) => {
      if (ended !== undefined) throw ended;
      waiting = Promise.withResolvers<LanceAnswer>();
      const { promise } = waiting;
      child.send(request);
      const answer = await promise;
      if (!isOfKind(answer, kind)) throw new SourceError('the reader of LanceDB answered something else');
      return answer;
    },
    [Symbol.asyncDispose]: async () => {
      end(new SourceError('the reading is over'));
      await exited;
    },
  };
}

function isOfKind<Kind extends LanceAnswer['kind']>(answer: LanceAnswer, kind: Kind): answer is Extract<LanceAnswer, { kind: Kind }> {
  return answer.kind === kind;
}
