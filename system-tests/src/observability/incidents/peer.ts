// SPDX-License-Identifier: Apache-2.0
/** A server of ours in place of somebody else's: it keeps what it is asked, and answers JSON as the test says. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type PeerRequest = { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: unknown };

export type PeerReply = { readonly status: number; readonly body: unknown };

export type Peer = AsyncDisposable & {
  readonly url: string;
  readonly requests: readonly PeerRequest[];
};

export async function startPeer(answer: (request: PeerRequest) => PeerReply): Promise<Peer> {
  const requests: PeerRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Uint8Array[] = [];
    incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url = '', headers } = incoming;
      const request = { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) };
      requests.push(request);
      const { status, body } = answer(request);
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
