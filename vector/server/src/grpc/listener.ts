/** The port of the gRPC interface. What answers there is large, and many services never need it: it is loaded with the first connection. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { GrpcServer } from './grpc-server.ts';

export type GrpcListener = {
  /** Answers the port; with port 0, the one that was free. */
  listen(address: { readonly host: string; readonly port: number; readonly reusePort: boolean }): Promise<number>;
  /** Finishes the calls in flight; cuts those that take longer. */
  close(graceMs: number): Promise<void>;
};

export function createGrpcListener(load: () => Promise<GrpcServer>): GrpcListener {
  let server: Promise<GrpcServer> | undefined;
  const serve = async (socket: Socket) => {
    // Until then nobody reads, and what the client has sent waits.
    socket.once('error', () => socket.destroy());
    server ??= load();
    (await server).serve(socket);
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
