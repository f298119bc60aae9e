// SPDX-License-Identifier: Apache-2.0
/**
 * A registry of npm on this machine that passes on what another one answers, no faster than a connection of a given rate would. The addresses of packages in
 * its answers are its own, so that these come through it too.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type LimitedRegistry = AsyncDisposable & {
  readonly url: string;
  readonly passed: { bytes: number; packages: number };
};

const CHUNK_BYTES = 64 * 1024;

/** @param upstream the address of the registry, without a slash at its end */
export async function limitedRegistry(upstream: string, bytesPerSecond: number): Promise<LimitedRegistry> {
  const passed = { bytes: 0, packages: 0 };
  let freeAtMs = 0;
  // All answers share one line: each chunk waits for its turn.
  const send = async (response: ServerResponse, bytes: Uint8Array) => {
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      const chunk = bytes.subarray(start, start + CHUNK_BYTES);
      freeAtMs = Math.max(freeAtMs, performance.now()) + (chunk.length / bytesPerSecond) * 1000;
      await sleep(freeAtMs - performance.now());
      response.write(chunk);
      passed.bytes += chunk.length;
    }
    response.end();
  };
  let own = '';
  const server = createServer((request, response) => {
    const answer = async () => {
      const accept = request.headers.accept ?? '*/*';
      const answered = await fetch(`${upstream}${request.url ?? '/'}`, { headers: { accept }, signal: AbortSignal.timeout(60_000) });
      const type = answered.headers.get('content-type') ?? 'application/octet-stream';
      const isPackument = type.includes('json');
      const bytes = isPackument
        ? Buffer.from((await answered.text()).replaceAll(upstream, own))
        : new Uint8Array(await answered.arrayBuffer());
      if (!isPackument) passed.packages++;
      response.writeHead(answered.status, { 'content-type': type });
      await send(response, bytes);
    };
    answer().catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server on a host and port has an address of this form.
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: own,
    passed,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
