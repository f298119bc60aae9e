// SPDX-License-Identifier: Apache-2.0
/** One HTTP request on a user's word: through the guard, within a time and a size, and without following redirects. */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { OutboundGuard } from './outbound-guard.ts';

export type OutboundRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** For the whole exchange. */
  readonly timeoutMs: number;
  readonly replyBytesMax: number;
};

/** A redirect is a reply like any other: its status is 3xx, and nobody goes there. */
export type OutboundReply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** The address is no URL of HTTP, the time ran out or the reply is too large; the message is fit for the user who asked for it. */
export class OutboundRequestError extends Error {
  override readonly name = 'OutboundRequestError';
}

/** Throws an `OutboundRefusedError`, an `OutboundRequestError`, or the error of the connection. */
export async function sendOutbound(guard: OutboundGuard, options: OutboundRequest): Promise<OutboundReply> {
  const url = outboundUrl(options.url);
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  try {
    return await exchange(guard, url, { ...options, signal });
  } catch (cause) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    if (deadline.aborted) throw new OutboundRequestError(`${url.host} did not answer within ${options.timeoutMs} ms`, { cause });
    throw cause;
  }
}

export type OutboundDownload = Pick<OutboundRequest, 'url' | 'headers' | 'signal'> & {
  /** Without a byte for so long, the exchange ends. */
  readonly idleMs: number;
};

/** What comes as it comes. */
export type OutboundStream = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
};

/** GETs what is too large for memory, and lets `use` have it; errors are those of `sendOutbound`, and those of `use`. */
export async function receiveOutbound<Result>(
  guard: OutboundGuard,
  { url: text, headers, signal, idleMs }: OutboundDownload,
  use: (reply: OutboundStream) => Promise<Result>,
): Promise<Result> {
  const url = outboundUrl(text);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const agent = url.protocol === 'https:' ? guard.httpsAgent : guard.httpAgent;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(url, { agent, method: 'GET', ...(headers && { headers }), ...(signal && { signal }) }, resolve);
    outgoing.setTimeout(idleMs, () => outgoing.destroy(new OutboundRequestError(`${url.host} did not answer within ${idleMs} ms`)));
    outgoing.on('error', reject);
    outgoing.end();
  });
  try {
    return await use({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: wholeBody(incoming, url) });
  } finally {
    incoming.destroy();
  }
}

async function* wholeBody(incoming: IncomingMessage, { host }: URL): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new OutboundRequestError(`${host} broke off`, { cause });
  }
}

function outboundUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new OutboundRequestError(`"${text}" is not an http or https address; expected, for example, https://example.com/path`);
  }
  return url;
}

function exchange(guard: OutboundGuard, url: URL, options: OutboundRequest): Promise<OutboundReply> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const agent = url.protocol === 'https:' ? guard.httpsAgent : guard.httpAgent;
  const { method, headers, signal, body } = options;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { agent, method, headers: { ...headers, ...length }, ...(signal && { signal }) }, (incoming) => {
      resolve(readReply(incoming, options.replyBytesMax));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function readReply(incoming: IncomingMessage, bytesMax: number): Promise<OutboundReply> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop destroys the stream, and the connection with it.
    if (bytes > bytesMax) throw new OutboundRequestError(`the response is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) };
}
