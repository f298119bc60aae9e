// SPDX-License-Identifier: Apache-2.0
/** A server with one prepared answer for each request; it keeps the requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

export type AnsweringServer = AsyncDisposable & { readonly url: string; readonly requests: readonly ReceivedRequest[] };

/** The last answer also goes to all further requests. */
export async function answeringServer(...answers: readonly Answer[]): Promise<AnsweringServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const received: ReceivedRequest = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      const answer = answers[requests.length] ?? answers.at(-1);
      requests.push(received);
      answer?.(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, [Symbol.asyncDispose]: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

export function json(status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Answer {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** As the vector service refuses. */
export function refusal(status: number, error: string, headers: { readonly [name: string]: string } = {}): Answer {
  return json(status, { time: 0, status: { error } }, headers);
}

export const NEVER: Answer = () => {};
export const BREAK: Answer = (response) => void response.destroy();
