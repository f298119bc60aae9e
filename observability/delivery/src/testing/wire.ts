// SPDX-License-Identifier: Apache-2.0
/** A wire that may reach this machine, and a server of ours on it that stands for somebody's. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundGuard } from '@sextant/foundation-service';
import { manualClock } from '@sextant/foundation-std';
import type { Wire } from '../exchange.ts';

export type Request = { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: unknown };
export type Answer = { readonly status: number; readonly headers?: { readonly [name: string]: string }; readonly body?: string };

export type Peer = AsyncDisposable & {
  readonly url: string;
  readonly wire: Wire;
  readonly stop: AbortController;
  readonly requests: Request[];
  /** Undefined never answers. */
  answer: (request: Request) => Answer | undefined;
};

export async function openPeer(): Promise<Peer> {
  const requests: Request[] = [];
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, path: url, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
      requests.push(request);
      const answer = peer.answer(request);
      if (answer !== undefined) response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const guard = createOutboundGuard({ allowPrivateNetworks: true });
  const stop = new AbortController();
  const peer: Peer = {
    // A server that listens on a port has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wire: { guard, clock: manualClock(Date.parse('2026-03-10T12:00:00.000Z')), signal: stop.signal },
    stop,
    requests,
    answer: () => ({ status: 200 }),
    [Symbol.asyncDispose]: async () => {
      guard.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return peer;
}
