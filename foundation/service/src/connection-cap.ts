// SPDX-License-Identifier: Apache-2.0
/**
 * A bound on the connections of a service, over all its threads and ports. Each connection takes a file descriptor; without a bound a flood of
 * idle ones takes those that files need. A connection beyond the bound gets this as its answer and is closed.
 */
import type { Server, Socket } from 'node:net';
import { Server as SecureServer } from 'node:tls';
import type { Clock } from '@sextant/foundation-std';

export type ConnectionFigures = { readonly open: number; readonly max: number; readonly refused: number };

const OPEN = 0;
const CLOSING = 1;
const REFUSED = 2;
const WORDS = 3;

/** Refused connections that are kept until the client has read the answer. Beyond them a client may see a reset in its place. */
export const REFUSED_CONNECTIONS_KEPT = 8;
const REFUSED_KEPT_MS = 1000;
/** When a refused client should try again. */
export const CONNECTION_RETRY_SECONDS = 1;

export class ConnectionCap {
  readonly #words: Int32Array;
  readonly #clock: Clock;
  readonly max: number;

  /** @param shared counters of all threads; see `allocate` */
  constructor(shared: SharedArrayBuffer, { max, clock }: { readonly max: number; readonly clock: Clock }) {
    this.#words = new Int32Array(shared);
    this.#clock = clock;
    this.max = max;
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
  }

  get figures(): ConnectionFigures {
    return { open: Atomics.load(this.#words, OPEN), max: this.max, refused: Atomics.load(this.#words, REFUSED) };
  }

  /** Whether a connection may stay; it counts until it is closed. */
  admits(socket: Socket): boolean {
    if (this.#take(OPEN, this.max, socket)) return true;
    Atomics.add(this.#words, REFUSED, 1);
    return false;
  }

  /** Whether a refused connection may stay for a moment, so that its client can read why; it is closed then, whatever the client does. */
  keepsRefused(socket: Socket, longestMs = REFUSED_KEPT_MS): boolean {
    if (!this.#take(CLOSING, REFUSED_CONNECTIONS_KEPT, socket)) return false;
    const timer = this.#clock.after(longestMs, () => socket.destroy());
    socket.once('close', () => timer.cancel());
    return true;
  }

  /** Sends an answer to a refused connection and closes it. */
  refuse(socket: Socket, answer: string | Uint8Array): void {
    socket.on('error', () => socket.destroy());
    if (this.keepsRefused(socket)) {
      // A socket that is closed with unread bytes is reset, and the answer may be lost with it.
      socket.resume();
      socket.end(answer);
    } else {
      // The write is tried at once, so what fits into the socket's buffer is on its way before the descriptor is free again.
      socket.write(answer);
      socket.destroy();
    }
  }

  #take(word: number, max: number, socket: Socket): boolean {
    if (Atomics.add(this.#words, word, 1) >= max) {
      Atomics.sub(this.#words, word, 1);
      return false;
    }
    socket.once('close', () => void Atomics.sub(this.#words, word, 1));
    return true;
  }
}

/** Puts the cap before whatever answers a server's connections. With TLS a refused client has its answer once its handshake is done. */
export function capHttpConnections(server: Server, cap: ConnectionCap, bodyOf: (seconds: number) => object): void {
  const answer = httpRefusal(bodyOf(CONNECTION_RETRY_SECONDS));
  if (server instanceof SecureServer) {
    const refused = new Set<string>();
    stepBefore(server, 'connection', (socket) => {
      if (cap.admits(socket)) return true;
      const peer = peerOf(socket);
      refused.add(peer);
      socket.once('close', () => refused.delete(peer));
      if (cap.keepsRefused(socket)) return true;
      socket.destroy();
      return false;
    });
    stepBefore(server, 'secureConnection', (socket) => {
      if (!refused.has(peerOf(socket))) return true;
      socket.on('error', () => socket.destroy());
      socket.resume();
      socket.end(answer);
      return false;
    });
    return;
  }
  stepBefore(server, 'connection', (socket) => {
    if (cap.admits(socket)) return true;
    cap.refuse(socket, answer);
    return false;
  });
}

/** Puts a step before the listeners of an event, which they hear if it answers true. */
function stepBefore(server: Server, event: 'connection' | 'secureConnection', step: (socket: Socket) => boolean): void {
  const listeners = server.listeners(event);
  server.removeAllListeners(event);
  server.on(event, (socket: Socket) => {
    if (step(socket)) for (const listener of listeners) listener.call(server, socket);
  });
}

/** The same for a socket and for the TLS that runs over it. */
export function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function httpRefusal(body: object): string {
  const text = JSON.stringify(body);
  const head = [
    'HTTP/1.1 503 Service Unavailable',
    'connection: close',
    `retry-after: ${CONNECTION_RETRY_SECONDS}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
