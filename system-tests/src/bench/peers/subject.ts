/** A library as a subject, in a process of its own so that its memory and its native code are its own too. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Subject } from '../subject.ts';
import type { PeerName, PeerReply, PeerRequest } from './protocol.ts';

const PROCESS = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Starts the process over a saved workload; undefined, with a line that says why, when the library cannot be loaded. */
export async function startPeer(name: PeerName, directory: string): Promise<Subject | undefined> {
  const child = fork(PROCESS, [name, directory], { serialization: 'advanced', stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const exited = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), exited.then(() => undefined)]);
  if (first === undefined) {
    const reason = /^\w*Error.*$/m.exec(errors.join(''))?.[0] ?? 'its process ended';
    console.log(`${name} is left out: ${reason}`);
    return undefined;
  }
  return {
    name,
    build: async () => (await ask(child, exited, { kind: 'build' })).build,
    search: async (selection) => (await ask(child, exited, { kind: 'search', selection })).run,
    residentBytes: async () => (await ask(child, exited, { kind: 'memory' })).residentBytes,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}

type ReplyTo<Kind> = Extract<PeerReply, { readonly kind: Kind }>;

async function ask<Kind extends PeerReply['kind']>(
  child: ChildProcess,
  exited: Promise<unknown>,
  request: PeerRequest & { readonly kind: Kind },
): Promise<ReplyTo<Kind>> {
  const answered = once(child, 'message');
  child.send(request);
  const [reply] = await Promise.race([answered, exited.then((): never => fail(request.kind))]);
  // The process answers each request with a reply of its kind; see `answer` there.
  return reply as ReplyTo<Kind>;
}

function fail(kind: string): never {
  throw new Error(`the peer's process ended during ${kind}`);
}
