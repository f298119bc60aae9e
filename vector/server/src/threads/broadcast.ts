// SPDX-License-Identifier: Apache-2.0
/**
 * State that one thread owns and all others must have before a change of it is acknowledged. The owner posts an event to every
 * listener and then raises a shared counter; a listener that finds the counter ahead of its own drains its port before it goes on. So an
 * event that was sent before a request began is known to whatever thread answers it, without a round trip.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

type Posted<Event> = { readonly number: number; readonly event: Event; readonly confirm: boolean };

export class Broadcaster<Event> {
  readonly #counter: Int32Array;
  readonly #ports: Set<MessagePort>;
  readonly #awaited = new Map<number, { readonly missing: Set<MessagePort>; readonly resolve: () => void }>();
  #sent = 0;

  constructor(counter: SharedArrayBuffer, ports: readonly MessagePort[]) {
    this.#counter = new Int32Array(counter);
    this.#ports = new Set(ports);
    for (const port of ports) {
      port.on('message', (number: number) => this.#confirmed(port, number));
      port.on('close', () => this.#gone(port));
    }
  }

  static allocateCounter(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  /** Every listener answers later requests with the event taken in. */
  send(event: Event): void {
    this.#post(event, false);
  }

  /** Resolves when every listener has also dealt with the event; one that has stopped is not waited for. */
  sendAndConfirm(event: Event): Promise<void> {
    if (this.#ports.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#awaited.set(this.#sent + 1, { missing: new Set(this.#ports), resolve });
      this.#post(event, true);
    });
  }

  #post(event: Event, confirm: boolean): void {
    this.#sent++;
    for (const port of this.#ports) port.postMessage({ number: this.#sent, event, confirm } satisfies Posted<Event>);
    Atomics.store(this.#counter, 0, this.#sent);
  }

  #confirmed(port: MessagePort, number: number): void {
    const awaited = this.#awaited.get(number);
    if (awaited === undefined) return;
    awaited.missing.delete(port);
    if (awaited.missing.size > 0) return;
    this.#awaited.delete(number);
    awaited.resolve();
  }

  #gone(port: MessagePort): void {
    this.#ports.delete(port);
    for (const number of this.#awaited.keys()) this.#confirmed(port, number);
  }
}

export class BroadcastListener<Event> {
  readonly #counter: Int32Array;
  readonly #port: MessagePort;
  readonly #take: (event: Event) => Promise<void> | void;
  #taken = 0;

  /** @param take takes the event in at once; its promise resolves when what the event ends is no longer in use */
  constructor(counter: SharedArrayBuffer, port: MessagePort, take: (event: Event) => Promise<void> | void) {
    this.#counter = new Int32Array(counter);
    this.#port = port;
    this.#take = take;
    port.on('message', (posted: Posted<Event>) => this.#receive(posted));
  }

  /** Takes in every event that was sent before this call. */
  catchUp(): void {
    while (this.#taken < Atomics.load(this.#counter, 0)) {
      const received = receiveMessageOnPort(this.#port);
      if (received === undefined) return;
      // The port carries nothing but what the broadcaster posts.
      this.#receive(received.message as Posted<Event>);
    }
  }

  #receive({ number, event, confirm }: Posted<Event>): void {
    this.#taken = number;
    const done = this.#take(event);
    if (confirm) void Promise.resolve(done).then(() => this.#port.postMessage(number));
  }
}
