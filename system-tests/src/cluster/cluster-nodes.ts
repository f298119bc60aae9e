/** Three nodes of a cluster over a log in PostgreSQL, each a process of its own, that can be killed, paused and cut from their log. */
import {
  type ChildServer,
  type TemporaryDirectory,
  type TemporaryPostgres,
  temporaryDirectory,
  temporaryPostgres,
} from '@sextant/foundation-testing';
import pg from 'pg';
import { startVectorServer } from '../vector-server.ts';

export const NODES = ['north', 'east', 'south'] as const;

export type ClusterNodes = AsyncDisposable & {
  /** As they are now; a node that was killed is the former one until it is started again. */
  readonly servers: readonly ChildServer[];
  start(node: number): Promise<void>;
  /** Ends every connection to the log. */
  cutLog(): Promise<void>;
};

export async function startCluster(): Promise<ClusterNodes> {
  const postgres: TemporaryPostgres = await temporaryPostgres();
  const url = await postgres.createDatabase('cluster');
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  const directories: TemporaryDirectory[] = [];
  for (const _ of NODES) directories.push(await temporaryDirectory());
  const servers: ChildServer[] = [];
  const start = async (node: number) => {
    servers[node] = await startVectorServer({
      directory: directories[node]?.path ?? '',
      environment: {
        SERVICE_THREADS: '1',
        SERVICE_CLUSTER_LOG: url,
        SERVICE_CLUSTER_NODE: NODES[node],
        SERVICE_CLUSTER_ADDRESS: `http://${NODES[node]}.test:6573`,
      },
    });
  };
  await Promise.all(NODES.map((_, node) => start(node)));
  return {
    servers,
    start,
    cutLog: async () => {
      await operator.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sextant-log'");
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) if (server.running) await server.kill();
      await operator.end();
      await postgres[Symbol.asyncDispose]();
      for (const directory of directories) await directory[Symbol.asyncDispose]();
    },
  };
}
