// SPDX-License-Identifier: Apache-2.0
/** Stands in for the API of a provider in tests: answers as its documentation says, and keeps what it was asked. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { type Answer, answerOf } from '../spark/clusters/provider-answers.ts';

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Answer;
};
export type StandInReply = { readonly status?: number; readonly body: unknown };

export async function openStandIn(answer: (asked: Asked) => StandInReply) {
  const asked: Asked[] = [];
  const receive = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const { method = '', url = '', headers } = incoming;
    const body = text.startsWith('{') ? answerOf(JSON.parse(text)) : {};
    const one = { method, path: url, headers, text, body };
    asked.push(one);
    const reply = answer(one);
    outgoing.writeHead(reply.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  };
  const server = createServer((incoming, outgoing) => void receive(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server of TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  // Names of clusters lead to this machine, whose open port stands for Spark Connect.
  const outbound = createOutboundGuard({
    allowPrivateNetworks: true,
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    outbound,
    asked,
    [Symbol.asyncDispose]: async () => {
      outbound.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Time that passes as fast as it is waited for. */
export function hurriedClock(): Clock {
  let nowMs = Date.UTC(2026, 0, 1);
  const soon = (ms: number, action: () => void) => {
    const handle = setImmediate(() => {
      nowMs += ms;
      action();
    });
    const timer = { cancel: () => clearImmediate(handle), unref: () => timer };
    return timer;
  };
  return { nowMs: () => nowMs, monotonicMs: () => nowMs, after: soon, every: soon };
}

/** What was asked, as the golden files have it. */
export function requestsOf(asked: readonly Asked[]): readonly object[] {
  return asked.map(({ method, path, headers, body }) => {
    const target = headers['x-amz-target'];
    return { request: `${method} ${path}`, ...(target !== undefined && { target }), ...(Object.keys(body).length > 0 && { body }) };
  });
}

/** The requests that a provider is to be sent, by the name of their file. */
export async function goldenRequests(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../spark/clusters/golden/${name}.json`, import.meta.url), 'utf8'));
}
