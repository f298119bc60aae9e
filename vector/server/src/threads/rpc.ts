// SPDX-License-Identifier: Apache-2.0
/** Requests between two threads over one message port: each call is answered once, by number, and belongs to the trace of who asks. */
import type { MessagePort, Transferable } from 'node:worker_threads';
import { type TracePlace, tracePlace, tracerInUse } from '@sextant/foundation-std';

/** The failures that reach a caller, rebuilt on its side as plain errors. */
type Answer = { readonly number: number; readonly result?: unknown; readonly failure?: string };
type Call = { readonly number: number; readonly request: unknown; readonly place?: TracePlace | undefined };

/** The thread at the other end has ended, or ends. */
export class ThreadGoneError extends Error {
  override readonly name = 'ThreadGoneError';

  constructor() {
    super('the other thread has gone');
  }
}

/** Asks the other side; rejects when the other side failed or the port was closed. */
export class RpcClient<Request, Result> {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, { resolve: (result: Result) => void; reject: (error: Error) => void }>();
  #next = 0;
  #closed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (answer: Answer) => this.#settle(answer));
    port.on('close', () => this.#close());
  }

  call(request: Request, transfer: Transferable[] = []): Promise<Result> {
    if (this.#closed) return Promise.reject(new ThreadGoneError());
    const number = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      const place = tracePlace();
      this.#port.postMessage((place === undefined ? { number, request } : { number, request, place }) satisfies Call, transfer);
    });
  }

  #settle({ number, result, failure }: Answer): void {
    const caller = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (failure !== undefined) caller?.reject(new Error(failure));
    // Both ends of a port are made together, with the same types.
    else caller?.resolve(result as Result);
  }

  #close(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting.values()) reject(new ThreadGoneError());
    this.#waiting.clear();
  }
}

/** Answers what the other side asks. */
export function serveRpc<Request, Result>(port: MessagePort, handle: (request: Request) => Promise<Result>): void {
  const handleAt = (place: TracePlace | undefined, request: Request) => {
    const tracer = tracerInUse();
    return tracer === undefined || place === undefined ? handle(request) : tracer.at(place, () => handle(request));
  };
  port.on('message', ({ number, request, place }: Call) => {
    // See RpcClient: both ends have the same types.
    handleAt(place, request as Request).then(
      (result) => port.postMessage({ number, result } satisfies Answer),
      (error: unknown) => port.postMessage({ number, failure: error instanceof Error ? error.message : String(error) } satisfies Answer),
    );
  });
}
