// SPDX-License-Identifier: Apache-2.0
/** A library in a process of its own, so that its memory, its native code and its threads are its own too. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DataSet } from '../data-sets/data-set.ts';
import type { LibraryName } from './library.ts';
import type { Build, ProcessOptions, Reply, Request, Searches } from './protocol.ts';

const PROCESS = fileURLToPath(new URL('./main.ts', import.meta.url));

export type Subject = AsyncDisposable & {
  readonly name: LibraryName;
  build(): Promise<Build>;
  widen(ef: number): Promise<void>;
  /** The queries [from, to), one after the other. */
  search(from: number, to: number): Promise<Searches>;
};

/** Starts the process; undefined, with a line that says why, when the library cannot be loaded. */
export async function startSubject(
  name: LibraryName,
  { points, queries, metric }: DataSet,
  { efConstruct, threads = 1 }: { readonly efConstruct: number; readonly threads?: number },
): Promise<Subject | undefined> {
  const options: ProcessOptions = {
    name,
    queries,
    library: { points, metric, efConstruct, threads },
  };
  const child = fork(PROCESS, [JSON.stringify(options)], {
    execArgv: ['--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const exited = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), exited.then(() => undefined)]);
  if (first === undefined) {
    console.log(`${name} is left out: ${/^\w*Error.*$/m.exec(errors.join(''))?.[0] ?? 'its process ended'}`);
    return undefined;
  }
  const running: Running = { child, exited, errors };
  return {
    name,
    build: async () => (await ask(running, { kind: 'build' })).build,
    widen: async (ef) => void (await ask(running, { kind: 'widen', ef })),
    search: async (from, to) => (await ask(running, { kind: 'search', from, to })).searches,
    [Symbol.asyncDispose]: async () => {
      // Politely: it deletes its temporary files.
      child.disconnect();
      await exited;
    },
  };
}

type Running = { readonly child: ChildProcess; readonly exited: Promise<unknown>; readonly errors: readonly string[] };

async function ask<Kind extends Reply['kind']>(
  { child, exited, errors }: Running,
  request: Request & { readonly kind: Kind },
): Promise<Extract<Reply, { readonly kind: Kind }>> {
  const failed = exited.then((): never => {
    throw new Error(`the process of a library ended during ${request.kind}: ${errors.join('')}`);
  });
  const answered = once(child, 'message');
  child.send(request);
  const [reply] = await Promise.race([answered, failed]);
  // The process answers each request with a reply of its kind; see `answer` there.
  return reply as Extract<Reply, { readonly kind: Kind }>;
}
