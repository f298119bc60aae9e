// SPDX-License-Identifier: Apache-2.0
/** The port of the gRPC interface. What answers there is large, and many services never need it: it is loaded with the first connection. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { type ConnectionCap, peerOf, type ServerTls } from '@sextant/foundation-service';
import type { GrpcServer } from './grpc-server.ts';

export type GrpcListener = {
  /** Answers the port; with port 0, the one that was free. */
  listen(address: { readonly host: string; readonly port: number; readonly reusePort: boolean }): Promise<number>;
  /** Finishes the calls in flight; cuts those that take longer. */
  close(graceMs: number): Promise<void>;
};

export type GrpcListenerOptions = {
  readonly cap: ConnectionCap;
  /** Undefined for plain connections. */
  readonly tls: ServerTls | undefined;
  readonly load: () => Promise<GrpcServer>;
};

/** A refused client waits for the code behind the port, where it is the first, and then sends a call to learn why. */
const REFUSED_KEPT_MS = 10_000;

export function createGrpcListener({ cap, tls, load }: GrpcListenerOptions): GrpcListener {
  let server: Promise<GrpcServer> | undefined;
  const answer = async (socket: Socket, isAdmitted: boolean) => {
    server ??= load();
    const loaded = await server;
    return isAdmitted ? loaded.serve(socket) : loaded.refuse(socket);
  };
  const handshakes = tls && tlsHandshakes(tls, answer);
  const serve = (socket: Socket) => {
    const isAdmitted = cap.admits(socket);
    // Beyond what can be kept for a moment there is not even a refusal: the client sees its connection end, and tries again.
    if (!isAdmitted && !cap.keepsRefused(socket, REFUSED_KEPT_MS)) return socket.destroy();
    // Until then nobody reads, and what the client has sent waits.
    socket.once('error', () => socket.destroy());
    return handshakes === undefined ? answer(socket, isAdmitted) : handshakes.begin(socket, isAdmitted);
  };
  const listener = createServer({ noDelay: true }, (socket) => void serve(socket));
  return {
    listen: ({ host, port, reusePort }) =>
      new Promise((resolve, reject) => {
        listener.once('error', reject);
        // A server on a host and port has an address of this form.
        listener.listen({ host, port, reusePort }, () => resolve((listener.address() as AddressInfo).port));
      }),
    close: async (graceMs) => {
      if (listener.listening) listener.close();
      handshakes?.cut();
      await (await server)?.close(graceMs);
    },
  };
}

/** TLS over connections that are there already. gRPC is HTTP/2 alone, and a client that does not ask for it by ALPN is none (RFC 9113, section 3.2). */
function tlsHandshakes(tls: ServerTls, answer: (socket: Socket, isAdmitted: boolean) => Promise<void>) {
  const waiting = new Map<string, { readonly socket: Socket; readonly isAdmitted: boolean }>();
  const server = createSecureServer({ ...tls.options, ALPNProtocols: ['h2'] }, (socket) => {
    const peer = peerOf(socket);
    const begun = waiting.get(peer);
    waiting.delete(peer);
    if (begun === undefined || socket.alpnProtocol !== 'h2') {
      socket.destroy();
      return;
    }
    socket.once('error', () => socket.destroy());
    void answer(socket, begun.isAdmitted);
  });
  tls.keepCurrent(server);
  return {
    begin: (socket: Socket, isAdmitted: boolean): void => {
      const peer = peerOf(socket);
      waiting.set(peer, { socket, isAdmitted });
      socket.once('close', () => {
        if (waiting.get(peer)?.socket === socket) waiting.delete(peer);
      });
      // Documented: what is emitted so is taken for a connection that the server itself has accepted.
      server.emit('connection', socket);
    },
    cut: (): void => {
      for (const { socket } of waiting.values()) socket.destroy();
    },
  };
}
