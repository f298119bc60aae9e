// SPDX-License-Identifier: Apache-2.0
/** The peers of the service, each in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OverheadSubject } from './subject.ts';

export const PEER_KINDS = ['node:http', 'fastify'] as const;
export type PeerKind = (typeof PEER_KINDS)[number];

const PROCESS = fileURLToPath(new URL('./peer-main.ts', import.meta.url));

/** @param answers what the peer answers, for each set of vectors without and with payload */
export async function startPeer(kind: PeerKind, answers: readonly string[]): Promise<OverheadSubject> {
  const child = fork(PROCESS, [kind]);
  const exited = once(child, 'exit');
  const ask = async (question: unknown): Promise<number> => {
    const answered = once(child, 'message');
    child.send(question as object);
    const [number] = await Promise.race([answered, exited.then(() => Promise.reject(new Error(`${kind} ended`)))]);
    return Number(number);
  };
  const port = await ask({ answers });
  return {
    name: kind,
    target: (position, withPayload) => ({ port, path: `/${position * 2 + Number(withPayload)}`, headers: {} }),
    cpuMicroseconds: () => ask('cpu'),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
