/** A receiver of webhooks: answers 200 and keeps what came. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Receiver = AsyncDisposable & {
  readonly url: string;
  readonly bodies: readonly unknown[];
};

export async function startReceiver(): Promise<Receiver> {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    bodies,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
