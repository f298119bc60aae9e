// SPDX-License-Identifier: Apache-2.0
/** Three nodes of a cluster over a log, each a process of its own, that can be killed, paused and cut from their log. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChildServer,
  freePort,
  missingNats,
  missingPostgres,
  type TemporaryDirectory,
  temporaryDirectory,
  temporaryNats,
  temporaryPostgres,
} from '@sextant/foundation-testing';
import pg from 'pg';
import { startVectorServer } from '../vector-server.ts';

export const NODES = ['north', 'east', 'south'] as const;

const SECRET = 'the secret of the nodes of this test';

export type ClusterNodes = AsyncDisposable & {
  /** As they are now; a node that was killed is the former one until it is started again. */
  readonly servers: readonly ChildServer[];
  start(node: number): Promise<void>;
  /** What a node that was killed had on its disk is gone. */
  loseDisk(node: number): Promise<void>;
  /** Ends every connection to the log, or pauses it. */
  cutLog(): Promise<void>;
};

export function serverAt({ servers }: Pick<ClusterNodes, 'servers'>, node: number): ChildServer {
  const server = servers[node % NODES.length];
  if (server === undefined) throw new Error('every node was started');
  return server;
}

/** One node after the other, with each call the next. */
export function inTurn(cluster: () => Pick<ClusterNodes, 'servers'>): () => ChildServer {
  let turn = 0;
  return () => {
    turn += 1;
    return serverAt(cluster(), turn);
  };
}

/** A log of a cluster, and what can happen to it. */
type TestLog = AsyncDisposable & Pick<ClusterNodes, 'cutLog'> & { readonly url: string };

const PAUSED_MS = 700;

export const LOGS: { readonly [name: string]: { readonly missing: string | undefined; readonly start: () => Promise<TestLog> } } = {
  PostgreSQL: { missing: missingPostgres(), start: postgresLog },
  NATS: { missing: missingNats(), start: natsLog },
};

async function postgresLog(): Promise<TestLog> {
  const postgres = await temporaryPostgres();
  const url = await postgres.createDatabase('cluster');
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  return {
    url,
    cutLog: async () => {
      await operator.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sextant-log'");
    },
    [Symbol.asyncDispose]: async () => {
      await operator.end();
      await postgres[Symbol.asyncDispose]();
    },
  };
}

export async function natsLog(): Promise<TestLog & { readonly pid: number }> {
  const nats = await temporaryNats();
  return {
    url: `${nats.url}/cluster`,
    pid: nats.pid,
    cutLog: async () => {
      process.kill(nats.pid, 'SIGSTOP');
      await sleep(PAUSED_MS);
      process.kill(nats.pid, 'SIGCONT');
    },
    [Symbol.asyncDispose]: () => nats[Symbol.asyncDispose](),
  };
}

type Options = {
  /** Of all nodes; without what is undefined. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** Data directories that are not to be temporary ones, by node. */
  readonly directories?: { readonly [node: number]: string };
  /** How many of `NODES` there are. */
  readonly count?: number;
};

export async function startCluster(
  log: TestLog,
  { environment = {}, directories: given = {}, count = NODES.length }: Options = {},
): Promise<ClusterNodes> {
  const directories: TemporaryDirectory[] = [];
  for (const _ of NODES) directories.push(await temporaryDirectory());
  const pathOf = (node: number) => given[node] ?? directories[node]?.path ?? '';
  const servers: ChildServer[] = [];
  const ports = await Promise.all(NODES.map(() => freePort()));
  const start = async (node: number) => {
    servers[node] = await startVectorServer({
      directory: pathOf(node),
      environment: {
        SERVICE_THREADS: '1',
        SERVICE_CAPABILITIES: 'all',
        SERVICE_CLUSTER_LOG: log.url,
        SERVICE_CLUSTER_NODE: NODES[node],
        SERVICE_REST_PORT: String(ports[node]),
        SERVICE_CLUSTER_ADDRESS: `http://127.0.0.1:${ports[node]}`,
        SERVICE_CLUSTER_SECRET: SECRET,
        ...environment,
      },
    });
  };
  await Promise.all(NODES.slice(0, count).map((_, node) => start(node)));
  return {
    servers,
    start,
    loseDisk: async (node) => {
      for (const name of await readdir(pathOf(node))) await rm(join(pathOf(node), name), { recursive: true, force: true });
    },
    cutLog: () => log.cutLog(),
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) if (server.running) await server.kill();
      for (const directory of directories) await directory[Symbol.asyncDispose]();
    },
  };
}
