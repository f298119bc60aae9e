// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { type ChildServer, type ChildServerOptions, startServer } from '@sextant/foundation-testing';

/** The file that starts the service: in tests that of its bundle, see `tools/bundle/for-tests.ts`. */
export const VECTOR_ENTRY = process.env.VECTOR_ENTRY ?? fileURLToPath(new URL('../../vector/server/src/main.ts', import.meta.url));

export type VectorServerOptions = Omit<ChildServerOptions, 'entry'> & { readonly directory: string };

/** Tests start a service with one serving thread unless they say otherwise; one of what threads do to each other does. */
export const TWO_THREADS = { SERVICE_THREADS: '2' };

/** How the service is configured over a data directory; it logs nothing below `info`. */
export function vectorEnvironment(directory: string) {
  return {
    SERVICE_HOST: '127.0.0.1',
    SERVICE_REST_PORT: '0',
    SERVICE_GRPC_PORT: '0',
    SERVICE_DATA_DIR: directory,
    SERVICE_AUTH_ENABLED: 'false',
    SERVICE_JWT_SECRET: undefined,
    SERVICE_LOG_LEVEL: 'info',
  };
}

/** Starts the vector service on free ports over a data directory. */
export function startVectorServer({ directory, environment, ...options }: VectorServerOptions): Promise<ChildServer> {
  return startServer({ ...options, entry: VECTOR_ENTRY, environment: { ...vectorEnvironment(directory), ...environment } });
}

/** Where the gRPC interface of a started vector service is. */
export function grpcAddressOf({ log }: ChildServer): string {
  const address = log.map((line) => /"grpc":"(https?:[^"]+)"/.exec(line)?.[1]).find((found) => found !== undefined);
  if (address === undefined) throw new Error('the service has not said where its gRPC interface is');
  return address;
}
