/** The port of the gRPC interface. What answers there is large, and many services never need it: it is loaded with the first connection. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ConnectionCap } from '@sextant/foundation-service';
import type { GrpcServer } from './grpc-server.ts';

export type GrpcListener = {
  /** Answers the port; with port 0, the one that was free. */
  listen(address: { readonly host: string; readonly port: number; readonly reusePort: boolean }): Promise<number>;
  /** Finishes the calls in flight; cuts those that take longer. */
  close(graceMs: number): Promise<void>;
};

/** A refused client waits for the code behind the port, where it is the first, and then sends a call to learn why. */
const REFUSED_KEPT_MS = 10_000;

export function createGrpcListener(cap: ConnectionCap, load: () => Promise<GrpcServer>): GrpcListener {
  let server: Promise<GrpcServer> | undefined;
  const serve = async (socket: Socket) => {
    const isAdmitted = cap.admits(socket);
    // Beyond what can be kept for a moment there is not even a refusal: the client sees its connection end, and tries again.
    if (!isAdmitted && !cap.keepsRefused(socket, REFUSED_KEPT_MS)) return socket.destroy();
    // Until then nobody reads, and what the client has sent waits.
    socket.once('error', () => socket.destroy());
    server ??= load();
    const loaded = await server;
    return isAdmitted ? loaded.serve(socket) : loaded.refuse(socket);
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
      await (await server)?.close(graceMs);
    },
  };
}
