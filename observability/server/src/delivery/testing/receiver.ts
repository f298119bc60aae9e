// SPDX-License-Identifier: Apache-2.0
/** A server of ours that stands for somebody's: it keeps what it is sent, and answers as the test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

export type Receiver = AsyncDisposable & {
  readonly url: string;
  readonly host: string;
  readonly received: Received[];
  /** How requests are answered from now on; with 204 at first. */
  answer: (response: ServerResponse, request: Received) => void;
};

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, path: url, headers, text: Buffer.concat(chunks).toString('utf8') };
      received.push(request);
      receiver.answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an AddressInfo.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receiver: Receiver = {
    url: `http://${host}`,
    host,
    received,
    answer: (response) => void response.writeHead(204).end(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
