// SPDX-License-Identifier: Apache-2.0
/** A NATS server of one test file, with JetStream in a temporary folder, on a free port of the loopback address. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type TemporaryNats = AsyncDisposable & {
  readonly url: string;
  readonly pid: number;
};

const PROGRAM = 'nats-server';
/** Where `.ci/run` builds it. */
const OWN_FOLDER = fileURLToPath(new URL('../../../.cache/nats/bin', import.meta.url));
const READY_LINE = 'Server is ready';
const START_ATTEMPTS = 3;

function findNats(path: string = process.env.PATH ?? ''): string | undefined {
  return [OWN_FOLDER, ...path.split(delimiter)].map((folder) => join(folder, PROGRAM)).find((program) => existsSync(program));
}

/** Why tests on NATS cannot run here; undefined when they can. */
export function missingNats(): string | undefined {
  return findNats() === undefined ? 'no NATS server is installed' : undefined;
}

/** @throws Error when no server is installed (see `missingNats`) or it does not start */
export async function temporaryNats(): Promise<TemporaryNats> {
  const program = findNats();
  if (program === undefined) throw new Error('no NATS server is installed');
  const directory = await temporaryDirectory();
  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const server = spawn(program, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', directory.path], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (!(await isReady(server))) continue;
    return {
      url: `nats://127.0.0.1:${port}`,
      // A process that has logged has one.
      pid: server.pid ?? 0,
      [Symbol.asyncDispose]: async () => {
        const exit = once(server, 'exit');
        if (server.exitCode === null && server.signalCode === null) {
          server.kill('SIGKILL');
          await exit;
        }
        await directory[Symbol.asyncDispose]();
      },
    };
  }
  await directory[Symbol.asyncDispose]();
  throw new Error('the NATS server did not start');
}

function isReady(server: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    let written = '';
    // Reading goes on after that, so that what it logs never fills the pipe.
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (written.length < 10_000) written += text;
      if (written.includes(READY_LINE)) resolve(true);
    });
    server.once('close', () => resolve(false));
  });
}
