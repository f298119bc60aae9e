// SPDX-License-Identifier: Apache-2.0
/** Services that something else has launched, watched by the process ids in their logs: they may outlive whoever launched them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jsonClient } from '@sextant/foundation-testing';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** What `npm start` runs: in tests that of the bundle, see `tools/bundle/for-tests.ts`. */
export const LAUNCHER_ENTRY = process.env.LAUNCHER_ENTRY ?? `${ROOT}tools/start/main.ts`;

export type Launch = {
  readonly command: readonly string[];
  /** Of both services. */
  readonly directory: string;
  /** Where the command runs; the repository by default. */
  readonly cwd?: string;
  readonly environment?: { readonly [name: string]: string | undefined };
  /** How many services it starts. */
  readonly services: number;
};

export type Launched = AsyncDisposable & {
  readonly launcher: ChildProcess;
  readonly log: readonly string[];
  /** Where the first service to log it listens, of those with a gRPC port: the vector service. */
  readonly vectorAddress: string;
  readonly grpcAddress: string;
  /** Empty where the service was not started. */
  readonly observabilityAddress: string;
  readonly servicePids: readonly number[];
  /** Resolves when every service has ended. */
  servicesEnded(): Promise<void>;
};

/** Longer than a start takes on a busy machine. */
const START_MS = 120_000;
const END_MS = 60_000;
const POLL_MS = 20;

/** Resolves when all services listen. */
export async function launch({
  command: [program = '', ...args],
  directory,
  cwd = ROOT,
  environment,
  services,
}: Launch): Promise<Launched> {
  const launcher = spawn(program, args, {
    cwd,
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...freePorts(directory), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  for (const stream of [launcher.stdout, launcher.stderr]) createInterface({ input: stream }).on('line', (line) => log.push(line));
  const exited = once(launcher, 'exit');
  const listening = () => log.flatMap((line) => announcementIn(line) ?? []);
  const dispose = async () => {
    for (const pid of [...listening().map(({ pid }) => pid), launcher.pid])
      if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
    await exited;
  };
  try {
    const isListening = () => listening().length === services;
    const failure = () => new Error(`${services} services do not listen:\n${log.join('\n')}`);
    await Promise.race([until(isListening, START_MS, failure), once(launcher, 'close').then(() => Promise.reject(failure()))]);
  } catch (error) {
    await dispose();
    throw error;
  }
  const servicePids = listening().map(({ pid }) => pid);
  return {
    launcher,
    log,
    vectorAddress: listening().find(({ grpc }) => grpc !== undefined)?.address ?? '',
    grpcAddress: listening().find(({ grpc }) => grpc !== undefined)?.grpc ?? '',
    observabilityAddress: listening().find(({ grpc }) => grpc === undefined)?.address ?? '',
    servicePids,
    servicesEnded: () =>
      until(
        () => !servicePids.some(isAlive),
        END_MS,
        () => new Error(`services go on: ${servicePids.filter(isAlive).join(', ')}`),
      ),
    [Symbol.asyncDispose]: dispose,
  };
}

function freePorts(directory: string) {
  return {
    SERVICE_REST_PORT: '0',
    SERVICE_GRPC_PORT: '0',
    SERVICE_DATA_DIR: `${directory}/vector`,
    OBSERVABILITY_PORT: '0',
    OBSERVABILITY_DATA_DIR: `${directory}/observability`,
  };
}

type Announcement = { readonly pid: number; readonly address: string; readonly grpc: string | undefined };

function announcementIn(line: string): Announcement | undefined {
  const [, pid, address] = /"pid":(\d+).*"address":"([^"]+)".*"msg":"listening"/.exec(line) ?? [];
  return pid === undefined || address === undefined ? undefined : { pid: Number(pid), address, grpc: /"grpc":"([^"]+)"/.exec(line)?.[1] };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(fact: () => boolean, withinMs: number, otherwise: () => Error): Promise<void> {
  for (let waitedMs = 0; !fact(); waitedMs += POLL_MS) {
    if (waitedMs > withinMs) throw otherwise();
    await sleep(POLL_MS);
  }
}

const SIZE = 256;
const POINTS = 2000;
const SEARCHES = 1000;
/** More than a connection needs to reach the thread beside another. */
const TURNS = 5;

/** Asks the service what takes it a while; resolves once it works on that, with the status to come. */
export async function longRequest(address: string): Promise<{ readonly answered: Promise<number | 'cut'> }> {
  using client = jsonClient({ baseUrl: address });
  const vector = (seed: number) => Array.from({ length: SIZE }, (_, index) => ((seed * 31 + index * index) % 199) / 100);
  await client.request('PUT', '/collections/busy', {
    vectors: { size: SIZE, distance: 'Dot' },
    optimizers_config: { indexing_threshold: 0 },
  });
  await client.request('PUT', '/collections/busy/points', {
    points: Array.from({ length: POINTS }, (_, id) => ({ id, vector: vector(id) })),
  });
  const searches = Array.from({ length: SEARCHES }, (_, index) => ({ vector: vector(-index), limit: 3, params: { exact: true } }));
  const other = jsonClient({ baseUrl: address });
  const answered = other
    .request('POST', '/collections/busy/points/search/batch', { searches })
    .then(
      ({ status }) => status,
      () => 'cut' as const,
    )
    .finally(() => other[Symbol.dispose]());
  for (let turn = 0; turn < TURNS; turn++) await client.request('POST', '/collections/busy/points/count', {});
  return { answered };
}
