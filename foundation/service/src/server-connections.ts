// SPDX-License-Identifier: Apache-2.0
/**
 * The connections of an HTTP server while it closes. Node.js ends those that are idle, and waits for all others, however long: a connection that was
 * opened ahead and has sent nothing, as browsers do, and a request whose body stands still are no idle ones to it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@sextant/foundation-std';
import { peerOf } from './connection-cap.ts';

export class ServerConnections {
  /** By their peer: once its handshake is done, a TLS socket takes the place of the one that it runs over. */
  readonly #sockets = new Map<string, Socket>();
  /** The last request of a connection, as its response. */
  readonly #responses = new WeakMap<Socket, ServerResponse>();

  constructor(server: Server) {
    const add = (socket: Socket) => {
      const peer = peerOf(socket);
      this.#sockets.set(peer, socket);
      socket.once('close', () => {
        if (this.#sockets.get(peer) === socket) this.#sockets.delete(peer);
      });
    };
    server.on('connection', add);
    server.on('secureConnection', add);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#responses.set(request.socket, response);
    });
  }

  /** Cuts connections that have sent nothing. */
  endSilent(): void {
    for (const socket of this.#sockets.values()) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Cuts connections whose request has not arrived in full, which nobody has begun to answer; returns how many. */
  endUnarrived(): number {
    return this.#end((response) => response === undefined || !response.req.complete);
  }

  /** Cuts all; returns how many. */
  endAll(): number {
    return this.#end(() => true);
  }

  /** The requests that wait for an answer, as method and path without its query. */
  unanswered(): readonly string[] {
    const responses = this.#sockets
      .values()
      .map((socket) => this.#responses.get(socket))
      .filter((response) => response !== undefined && !response.writableFinished);
    return [...responses].map((response) => `${response?.req.method} ${response?.req.url?.split('?')[0]}`);
  }

  #end(isMeant: (response: ServerResponse | undefined) => boolean): number {
    let count = 0;
    for (const socket of this.#sockets.values()) {
      const response = this.#responses.get(socket);
      // What comes after an answer is another request, of which nothing but a part of its head is there.
      if (!isMeant(response?.writableFinished === true ? undefined : response)) continue;
      socket.destroy();
      count++;
    }
    return count;
  }
}

/** Turns of the event loop: the rest of the one that is under way, one that accepts a connection, and one that reads from it. */
const TURNS_TO_ARRIVE = 3;

export type DrainTimes = {
  /** For requests that are on their way. */
  readonly arrivalMs: number;
  /** For answers. */
  readonly answerMs: number;
};

/** Of the seconds that a service has to end: a third for what arrives, another for what is answered, the last for what lies behind. */
export function drainTimes(deadlineSeconds: number): DrainTimes {
  return { arrivalMs: (deadlineSeconds * 1000) / 3, answerMs: (deadlineSeconds * 2000) / 3 };
}

/**
 * Closes a server, lets it finish, and cuts what would keep it longer than it may.
 *
 * @param close begins to close the server, and resolves when it is closed
 * @param warn hears what was cut
 */
export async function drainConnections(
  close: () => Promise<unknown>,
  connections: ServerConnections,
  { arrivalMs, answerMs, clock, warn }: DrainTimes & { readonly clock: Clock; readonly warn: (sentence: string) => void },
): Promise<void> {
  // Connections that wait in the kernel get in, and what was sent over them is read: both have been acknowledged to their clients by TCP.
  await turns(TURNS_TO_ARRIVE);
  const closing = close();
  await turns(TURNS_TO_ARRIVE);
  connections.endSilent();
  const arrival = clock.after(arrivalMs, () => {
    const count = connections.endUnarrived();
    if (count > 0) warn(`closed ${count} connections whose requests had not arrived completely`);
  });
  const answer = clock.after(answerMs, () => {
    const waiting = connections.unanswered();
    const count = connections.endAll();
    if (count > 0) warn(`closed ${count} connections; requests without an answer: ${summary(waiting)}`);
  });
  try {
    await closing;
  } finally {
    arrival.cancel();
    answer.cancel();
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate();
}

const NAMED_MAX = 5;

/** The most frequent first. */
function summary(requests: readonly string[]): string {
  const counts = Map.groupBy(requests, (request) => request);
  const sorted = [...counts].map(([request, { length }]) => ({ request, length })).toSorted((one, other) => other.length - one.length);
  const named = sorted.slice(0, NAMED_MAX).map(({ request, length }) => (length > 1 ? `${request} (${length} times)` : request));
  const more = sorted.length > NAMED_MAX ? [`${sorted.length - NAMED_MAX} others`] : [];
  return [...named, ...more].join(', ') || 'none';
}
