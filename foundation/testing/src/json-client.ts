// SPDX-License-Identifier: Apache-2.0
/**
 * A small HTTP client for tests and measurements: JSON without loss of 64-bit integers, connections kept alive. It sits on `node:http`
 * rather than `fetch` because a test must know about each connection, and a measurement must not pay for streams.
 */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as sendRequest } from 'node:http';
import { Agent as SecureAgent, request as sendSecureRequest } from 'node:https';
import { parseJson, stringifyJson } from '@sextant/foundation-std';

export type JsonReply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Parsed where the reply says that it is JSON, else the text. */
  readonly body: unknown;
};

export type JsonRequestOptions = {
  readonly headers?: { readonly [name: string]: string };
  readonly signal?: AbortSignal;
};

export type JsonClientOptions = {
  /** The origin that paths are appended to, such as `http://127.0.0.1:6573`. */
  readonly baseUrl: string;
  /** Connections at a time; further requests wait for a free one. */
  readonly connectionsMax?: number;
  /** False opens a connection for each request. */
  readonly keepAlive?: boolean;
  /** For an origin with https. */
  readonly tls?: ClientTls | undefined;
};

/** PEM: whom the client trusts, and the certificate that it shows where it has one. */
export type ClientTls = { readonly ca: string; readonly cert?: string; readonly key?: string };

export type JsonClient = Disposable & {
  /** Sends `body` as JSON; bytes are sent as they are, for a body that is malformed on purpose or encoded ahead of a measurement. */
  request(method: string, path: string, body?: unknown, options?: JsonRequestOptions): Promise<JsonReply>;
};

export function jsonClient(options: JsonClientOptions): JsonClient {
  const connections = { keepAlive: options.keepAlive ?? true, maxSockets: options.connectionsMax ?? 16 };
  const isSecure = options.baseUrl.startsWith('https:');
  const agent = isSecure ? new SecureAgent({ ...connections, ...options.tls }) : new Agent(connections);
  return {
    request: (method, path, body, requestOptions = {}) => exchange({ agent, url: options.baseUrl + path, method, body, ...requestOptions }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

type Exchange = JsonRequestOptions & { readonly agent: Agent; readonly url: string; readonly method: string; readonly body: unknown };

function exchange({ agent, url, method, body, headers, signal }: Exchange): Promise<JsonReply> {
  const bytes = encodeBody(body);
  const contentHeaders = bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.byteLength };
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? sendSecureRequest : sendRequest;
    const outgoing = send(url, { agent, method, headers: { ...contentHeaders, ...headers }, ...(signal && { signal }) }, (incoming) => {
      const chunks: Uint8Array[] = [];
      incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      incoming.on('error', reject);
      // `Promise.try` so that a reply that is not the JSON it claims to be rejects.
      incoming.on('end', () => resolve(Promise.try(() => decodeReply(incoming, chunks))));
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function encodeBody(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(stringifyJson(body));
}

function decodeReply({ headers, statusCode }: IncomingMessage, chunks: readonly Uint8Array[]): JsonReply {
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = headers['content-type']?.includes('json') === true && text !== '';
  return { status: statusCode ?? 0, headers, body: isJson ? parseJson(text) : text };
}
