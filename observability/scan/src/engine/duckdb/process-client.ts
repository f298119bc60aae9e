// SPDX-License-Identifier: Apache-2.0
/**
 * The parent's side of the DuckDB process. A process and not a worker thread, since a native crash or an allocation beyond all limits must end
 * one scan and not the service, and since killing is the only way to stop that no statement can delay.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { assert, compileCacheEnvironment, traced } from '@sextant/foundation-std';
import { ScanError } from '../engine.ts';
import type { Answer, AssetClient, AssetClientOptions, AssetRequest, Reply } from './messages.ts';

const PROCESS_MODULE = new URL('./duckdb-process.ts', import.meta.url);
/** Results are small: aggregates and bounded samples. */
const HEAP_MIB = 512;

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };

/** The process is gone: it says nothing of the statement that it was asked. */
export class EngineEnded extends ScanError {}

export class ProcessClient implements AssetClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<void>;
  #nextId = 0;
  #ended: Error | undefined;

  constructor({ directory, signal, onProgress }: AssetClientOptions) {
    this.#child = fork(PROCESS_MODULE, {
      cwd: directory,
      env: compileCacheEnvironment(),
      execArgv: [`--max-old-space-size=${HEAP_MIB}`, '--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const kill = (): void => this.#end(signal.reason instanceof Error ? signal.reason : new ScanError('The scan was cancelled'));
    signal.addEventListener('abort', kill, { once: true });
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', (code, cause) => {
        signal.removeEventListener('abort', kill);
        this.#end(new EngineEnded(`The scan engine ended unexpectedly (${cause ?? `code ${code}`}); it may have run out of memory`));
        resolve();
      });
    });
    // Each message that a process which is gone cannot take is an error.
    this.#child.on('error', (cause) => this.#end(new EngineEnded('The scan engine could not be started', { cause })));
    this.#child.on('message', (reply: Reply) => this.#receive(reply, onProgress));
    if (signal.aborted) kill();
  }

  /** One at a time or several: the process answers each when it is done. */
  call(request: AssetRequest): Promise<Answer> {
    const attributes = { 'db.system.name': 'duckdb', 'db.operation.name': request.kind, 'process.pid': this.#child.pid };
    // Of what goes on in the other process only this side has a tracer.
    return traced({ name: `duckdb ${request.kind}`, kind: 'client', attributes }, () => this.#send(request));
  }

  #send(request: AssetRequest): Promise<Answer> {
    const ended = this.#ended;
    if (ended !== undefined) return Promise.reject(ended);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ ...request, id });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end(new ScanError('The scan is over'));
    await this.#exited;
  }

  #receive(reply: Reply, onProgress: AssetClientOptions['onProgress']): void {
    // It was on its way when the scan was ended, and nobody waits for it.
    if (this.#ended !== undefined) return;
    switch (reply.kind) {
      case 'progress':
        onProgress(reply);
        return;
      case 'ended':
        this.#end(new EngineEnded(reply.reason, { cause: reply.cause }));
        return;
      case 'answered':
      case 'refused': {
        const waiting = this.#waiting.get(reply.id);
        assert(waiting !== undefined, 'each request is answered once');
        this.#waiting.delete(reply.id);
        if (reply.kind === 'answered') waiting.resolve(reply.answer);
        else waiting.reject(new ScanError(reply.message));
        return;
      }
    }
  }

  #end(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#child.kill('SIGKILL');
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
