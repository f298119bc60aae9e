// SPDX-License-Identifier: Apache-2.0
/** A client that costs little: keep-alive sockets, requests encoded ahead, of each answer only its status and its length are read. */
import { connect, type Socket } from 'node:net';

export type Target = {
  /** POST, where it is not said. */
  readonly method?: string;
  readonly port: number;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
};

/** When it ends: after so many requests, or with the first answer after so many seconds. */
export type LoadLength = { readonly requests: number } | { readonly seconds: number };

export type LoadOptions = {
  readonly length: LoadLength;
  /** Each has one request in flight. */
  readonly connections: number;
};

/** From the first byte sent to the last one received, in milliseconds, in the order in which the answers came. */
export type LatenciesMs = readonly number[];

const RECEIVED_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('content-length: ');
const OK = Buffer.from('HTTP/1.1 200');
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;

/** As they go over the wire. */
export function encodeRequests(target: Target, bodies: readonly Uint8Array[]): readonly Buffer[] {
  const { method = 'POST', path, port, headers } = target;
  return bodies.map((body) => {
    const head = {
      host: `127.0.0.1:${port}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...headers,
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
    return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body]);
  });
}

/** Sends the requests in turn until the end. */
export async function sendLoad(port: number, requests: readonly Buffer[], { length, connections }: LoadOptions): Promise<LatenciesMs> {
  const latenciesMs: number[] = [];
  const endMs = 'seconds' in length ? performance.now() + length.seconds * 1000 : Number.POSITIVE_INFINITY;
  const most = 'requests' in length ? length.requests : Number.POSITIVE_INFINITY;
  let next = 0;
  const take = () => (next < most && performance.now() < endMs ? requests[next++ % requests.length] : undefined);
  await Promise.all(Array.from({ length: Math.min(connections, most) }, () => ask(port, take, latenciesMs)));
  return latenciesMs;
}

function ask(port: number, take: () => Buffer | undefined, latenciesMs: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentMs = 0;
    /** Of the answer that comes in; undefined before its head has. */
    let missing: number | undefined;
    let head: Buffer | undefined;
    const send = () => {
      const request = take();
      if (request === undefined) {
        socket.end(resolve);
        return;
      }
      sentMs = performance.now();
      socket.write(request);
    };
    const receive = (chunk: Buffer) => {
      if (missing === undefined) {
        // The next chunk overwrites this one.
        const begun = head === undefined ? chunk : Buffer.concat([head, chunk]);
        const bytes = answerBytes(begun);
        if (bytes === undefined) {
          head = Buffer.from(begun);
          return;
        }
        head = undefined;
        missing = bytes - begun.length;
      } else {
        missing -= chunk.length;
      }
      if (missing > 0) return;
      latenciesMs.push(performance.now() - sentMs);
      missing = undefined;
      send();
    };
    const socket: Socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      // One buffer for all that comes, so that nothing is left to collect.
      onread: {
        buffer: Buffer.allocUnsafeSlow(RECEIVED_BYTES),
        callback: (bytes, buffer) => {
          try {
            receive(Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
          } catch (error) {
            socket.destroy(error as Error);
          }
          return true;
        },
      },
    });
    socket.once('connect', send);
    socket.once('error', reject);
  });
}

/** The length of the answer with its head; undefined while the head is not whole. */
function answerBytes(received: Buffer): number | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  if (received.compare(OK, 0, OK.length, 0, OK.length) !== 0) throw new Error(`the server answered ${received.toString('utf8')}`);
  const lengthAt = received.indexOf(LENGTH);
  if (lengthAt === -1 || lengthAt > headEnd) throw new Error('the answer has no length');
  let bytes = 0;
  for (let at = lengthAt + LENGTH.length; ; at++) {
    const digit = received[at] ?? 0;
    if (digit < DIGIT_ZERO || digit > DIGIT_NINE) return headEnd + HEAD_END.length + bytes;
    bytes = bytes * 10 + digit - DIGIT_ZERO;
  }
}
