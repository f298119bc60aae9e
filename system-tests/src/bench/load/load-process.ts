// SPDX-License-Identifier: Apache-2.0
/** A client in a process of its own, so that nothing that the bench or another client does holds up its clock. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LatenciesMs, LoadOptions, Target } from './http-load.ts';

const PROCESS = fileURLToPath(new URL('./load-main.ts', import.meta.url));

export type LoadRun = {
  readonly latenciesMs: LatenciesMs;
  readonly wallSeconds: number;
  /** Of the client's process. */
  readonly processorSeconds: number;
};

export type LoadClient = AsyncDisposable & {
  send(options: LoadOptions): Promise<LoadRun>;
};

export type LoadRequest =
  | { readonly kind: 'take'; readonly target: Target; readonly bodies: readonly Uint8Array[] }
  | { readonly kind: 'send'; readonly options: LoadOptions };
export type LoadReply = { readonly kind: 'taken' } | { readonly kind: 'sent'; readonly run: LoadRun };

/** @param bodies are sent in turn */
export async function startLoadClient(target: Target, bodies: readonly Uint8Array[]): Promise<LoadClient> {
  const child = fork(PROCESS, { serialization: 'advanced' });
  const exited = once(child, 'exit');
  const ended = exited.then((): never => {
    throw new Error('the process of a client ended');
  });
  const ask = async (request: LoadRequest): Promise<LoadReply> => {
    const answered = once(child, 'message');
    child.send(request);
    const [reply] = await Promise.race([answered, ended]);
    // The process answers nothing else; see load-main.ts.
    return reply as LoadReply;
  };
  // Whoever asks gets an answer.
  ended.catch(() => undefined);
  await ask({ kind: 'take', target, bodies });
  return {
    send: async (options) => {
      const reply = await ask({ kind: 'send', options });
      if (reply.kind !== 'sent') throw new Error('a client answered something else');
      return reply.run;
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await exited;
    },
  };
}
