// SPDX-License-Identifier: Apache-2.0
/** The server under an HTTP application that speaks TLS. */
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:https';
import type { ServerTls } from './tls-reload.ts';

/** As Fastify sets it on servers that it makes itself. */
const KEEP_ALIVE_MS = 72_000;

/** For the option `serverFactory` of Fastify, which leaves the times of such a server to the factory. */
export function httpsServerFactory(tls: ServerTls, { requestTimeoutMs }: { readonly requestTimeoutMs: number }) {
  return (handler: RequestListener): Server => {
    const server = createServer({ ...tls.options, requestTimeout: requestTimeoutMs, keepAliveTimeout: KEEP_ALIVE_MS }, handler);
    tls.keepCurrent(server);
    return server;
  };
}
