// SPDX-License-Identifier: Apache-2.0
/** A way to a server on this machine that loses what is answered, and then the connection. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type CutProxy = AsyncDisposable & {
  readonly port: number;
  /** Connections that were cut. */
  readonly cuts: () => number;
  /** Passes on so many bytes of what comes next from the server; the first beyond them is lost with the connection. */
  readonly cutAfter: (bytes: number) => void;
};

export async function openCutProxy(port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let remaining: number | undefined;
  let cuts = 0;
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.pipe(target);
    target.on('data', (chunk) => {
      if (remaining !== undefined && chunk.length > remaining) {
        remaining = undefined;
        cuts += 1;
        client.destroy();
        return;
      }
      if (remaining !== undefined) remaining -= chunk.length;
      client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    cuts: () => cuts,
    cutAfter: (bytes) => {
      remaining = bytes;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
