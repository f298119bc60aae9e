// SPDX-License-Identifier: Apache-2.0
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to whoever asks for any: until a program listens on it, no other process is given the same one. */
const FIRST = 10_000;
const END = 32_768;
/** The one of them that browsers and `fetch` refuse to connect to: https://fetch.spec.whatwg.org/#bad-port. */
const BAD_PORT = 10_080;

/** A port of this machine that nobody listens on, and that browsers connect to, for programs that need one from outside. */
export async function freePort(draw: () => number = () => randomInt(FIRST, END)): Promise<number> {
  for (;;) {
    const port = draw();
    if (port === BAD_PORT || !(await isFree(port))) continue;
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!listens) return false;
  probe.close();
  await once(probe, 'close');
  return true;
}
