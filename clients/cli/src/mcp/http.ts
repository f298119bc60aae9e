// SPDX-License-Identifier: Apache-2.0
/**
 * The protocol over HTTP ("streamable HTTP"), for agents that are other processes. Only this machine reaches it unless it is configured otherwise; who calls has
 * a bearer token, and a page in a browser may call only from an origin that is allowed, so that no web site can use the browser of someone who
 * runs this (DNS rebinding included). There are no sessions: each request stands for itself, so nothing is kept of a client that goes.
 */
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { hashSecret } from '@sextant/foundation-service';
import { createMcpServer, type McpOptions } from './server.ts';

export const MCP_PATH = '/mcp';
const REQUESTS_MAX = 32;
const BODY_BYTES_MAX = 4 * 1024 * 1024;

export type McpHttpOptions = McpOptions & {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** Origins of pages that may call, such as `https://agents.example`. */
  readonly origins: readonly string[];
};

export type McpHttpServer = { readonly address: string; close(): Promise<void> };

export async function serveMcpOverHttp(options: McpHttpOptions): Promise<McpHttpServer> {
  const expected = hashSecret(`Bearer ${options.token}`);
  let running = 0;
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, { expected, origins: options.origins, running });
    if (refusal !== undefined) return refuse(response, refusal);
    running += 1;
    response.once('close', () => {
      running -= 1;
    });
    answer(request, response, options).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 500, sentence: 'Internal error' });
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  // Of a server that listens on a port, the address is an object.
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${MCP_PATH}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

type Refusal = { readonly status: number; readonly sentence: string; readonly headers?: { readonly [name: string]: string } };

type Gate = { readonly expected: Buffer; readonly origins: readonly string[]; readonly running: number };

/** Why a request is not answered; the credential is asked for before anything is read. */
function refusalOf({ url = '', method, headers }: IncomingMessage, { expected, origins, running }: Gate): Refusal | undefined {
  const { origin, authorization = '' } = headers;
  if (origin !== undefined && !origins.includes(origin)) {
    return { status: 403, sentence: 'Web pages of this origin may not call; allow the origin with --allow-origin' };
  }
  if (!timingSafeEqual(hashSecret(authorization), expected)) {
    return { status: 401, sentence: 'Send the token as Authorization: Bearer …', headers: { 'www-authenticate': 'Bearer' } };
  }
  if (url.split('?', 1)[0] !== MCP_PATH) return { status: 404, sentence: `The protocol is served at ${MCP_PATH}` };
  if (method !== 'POST') return { status: 405, sentence: 'The server has no sessions; use POST', headers: { allow: 'POST' } };
  if (running >= REQUESTS_MAX) return { status: 503, sentence: 'Too many concurrent calls; try again', headers: { 'retry-after': '1' } };
  return undefined;
}

function refuse(response: ServerResponse, { status, sentence, headers }: Refusal): void {
  // The code is the one that the protocol's own transport uses for refusals of HTTP.
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message: sentence }, id: null });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(body);
}

async function answer(request: IncomingMessage, response: ServerResponse, options: McpOptions): Promise<void> {
  const transport = new StreamableHTTPServerTransport({ maxRequestBodySize: BODY_BYTES_MAX });
  const mcp = createMcpServer(options);
  response.once('close', () => {
    void mcp.close();
  });
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
}
