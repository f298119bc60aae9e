// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a server of ours as what it is in life: a process of its own. It is started from its entry file on a free port, found by the line
 * that it logs when it listens, and ended by its process id alone: politely (SIGTERM, exit code 0 expected) or at once (SIGKILL).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientTls, type JsonClient, jsonClient } from './json-client.ts';

export type ChildServerOptions = {
  /** The file that starts the server. */
  readonly entry: string;
  readonly args?: readonly string[];
  /** Set over the environment of this process; undefined takes a variable away. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** How many file descriptors the process may have; needs a POSIX shell. */
  readonly descriptorLimit?: number;
  /** For a server that speaks TLS. */
  readonly tls?: ClientTls | undefined;
  /** What `startServer` waits for: the open port, or `/readyz` answering 200 (the default). */
  readonly until?: 'listening' | 'ready';
  readonly startTimeoutMs?: number;
  readonly stopTimeoutMs?: number;
};

export type ChildServer = AsyncDisposable & {
  readonly pid: number;
  /** The origin of the first HTTP service that said it listens. */
  readonly address: string;
  /** A client on `address` that lives as long as this object. */
  readonly client: JsonClient;
  /** What the process has written so far, standard output and error, one entry for each line; the newest `LOG_LINES_MAX`. */
  readonly log: readonly string[];
  readonly running: boolean;
  /** Waits until `/readyz` answers 200. */
  ready(): Promise<void>;
  /** Sends SIGTERM and waits; throws unless the process leaves with exit code 0. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>;
};

/** Thrown when the process does not do what it was asked for; says the last lines of its log. */
export class ChildServerError extends Error {
  override readonly name = 'ChildServerError';
}

const LOG_LINES_MAX = 2000;
/** Only what hangs takes so long, on however busy a machine. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 120_000;
const READY_POLL_MS = 10;

export async function startServer(options: ChildServerOptions): Promise<ChildServer> {
  const command = [process.execPath, options.entry, ...(options.args ?? [])];
  // The shell becomes the server, under the same id.
  const limited = options.descriptorLimit === undefined ? [] : ['sh', '-c', `ulimit -n ${options.descriptorLimit} && exec "$0" "$@"`];
  const [program = process.execPath, ...args] = [...limited, ...command];
  const child = spawn(program, args, {
    // Where compiled code is kept, our programs choose themselves.
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...options.environment },
    // Our programs end with whoever holds the other end of the channel, however that ends: a killed run leaves no server.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const log: string[] = [];
  const watched: Watched = { child, log, exited: watchExit(child), startTimeoutMs: options.startTimeoutMs ?? START_TIMEOUT_MS };
  const address = await startedOr(watched, listening(child, log));
  const client = jsonClient({ baseUrl: address, tls: options.tls });
  const running = () => child.exitCode === null && child.signalCode === null;
  const ready = () => startedOr(watched, answersReady(client, running));
  const kill = async () => {
    if (running()) child.kill('SIGKILL');
    await watched.exited;
    client[Symbol.dispose]();
  };
  const stop = async () => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, options.stopTimeoutMs ?? STOP_TIMEOUT_MS);
    child.kill('SIGTERM');
    const exit = await watched.exited;
    clearTimeout(timer);
    client[Symbol.dispose]();
    if (late) throw new ChildServerError(`the server did not stop on SIGTERM\n${tail(log)}`);
    if (exit.code !== 0) throw new ChildServerError(`the server stopped with ${describeExit(exit)} on SIGTERM\n${tail(log)}`);
  };
  if (options.until !== 'listening') await ready();
  return {
    // A process that has logged has a pid.
    pid: child.pid ?? 0,
    address,
    client,
    log,
    get running() {
      return running();
    },
    ready,
    stop,
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

type Watched = {
  readonly child: ChildProcess;
  readonly log: readonly string[];
  readonly exited: Promise<Exit>;
  readonly startTimeoutMs: number;
};

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

function watchExit(child: ChildProcess): Promise<Exit> {
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  return new Promise((resolve) => {
    // `close` comes after the last line of output, so a log that is read after it is whole.
    child.once('close', (code, signal) => {
      process.off('exit', killWithUs);
      resolve({ code, signal });
    });
    child.once('error', () => resolve({ code: child.exitCode ?? -1, signal: child.signalCode }));
  });
}

/** The first `http` address that a log line announces, with every line kept in `log`. */
function listening(child: ChildProcess, log: string[]): Promise<string> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        log.push(line);
        if (log.length > LOG_LINES_MAX) log.shift();
        const address = announcedAddress(line);
        if (address !== undefined) resolve(address);
      });
    }
  });
}

function announcedAddress(line: string): string | undefined {
  if (!line.startsWith('{') || !line.includes('"listening"')) return undefined;
  try {
    const record: unknown = JSON.parse(line);
    if (typeof record !== 'object' || record === null || !('msg' in record) || !('address' in record)) return undefined;
    return record.msg === 'listening' && typeof record.address === 'string' && /^https?:\/\//.test(record.address)
      ? record.address
      : undefined;
  } catch {
    return undefined;
  }
}

async function answersReady(client: JsonClient, running: () => boolean): Promise<void> {
  while (running()) {
    const reply = await client.request('GET', '/readyz').catch(() => undefined);
    if (reply?.status === 200) return;
    await sleep(READY_POLL_MS);
  }
}

/** Awaits a step of the start; an exit before it, or a step that takes too long, is an error and leaves no process. */
async function startedOr<Result>({ child, log, exited, startTimeoutMs }: Watched, step: Promise<Result>): Promise<Result> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, startTimeoutMs);
  const outcome = await Promise.race([exited.then((exit) => ({ exit })), step.then((value) => ({ value }))]);
  clearTimeout(timer);
  if ('value' in outcome && child.exitCode === null) return outcome.value;
  const reason = late ? 'did not start in time' : `left with ${describeExit(await exited)} while it started`;
  throw new ChildServerError(`the server ${reason}\n${tail(log)}`);
}

function describeExit({ code, signal }: Exit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

function tail(log: readonly string[]): string {
  return log.slice(-30).join('\n');
}
