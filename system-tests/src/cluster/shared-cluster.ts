// SPDX-License-Identifier: Apache-2.0
/**
 * Three nodes over NATS that test files share, as the single service in `../shared-server.ts`. A file may kill nodes, stop them and take their disks: the next one
 * finds all of them running, and no collection.
 */
import { sharedFolder } from '../shared-server.ts';
import { vectorApi } from '../vector-api.ts';
import { type ClusterNodes, NODES, natsLog, startCluster } from './cluster-nodes.ts';

type SharedCluster = { readonly cluster: ClusterNodes; readonly logUrl: string };

let started: Promise<SharedCluster> | undefined;

export async function sharedCluster(): Promise<SharedCluster> {
  started ??= start();
  const shared = await started;
  try {
    await restore(shared.cluster);
    return shared;
  } catch {
    // A test that failed has left it as nobody can go on with.
    await shared.cluster[Symbol.asyncDispose]();
    started = start();
    return await started;
  }
}

async function start(): Promise<SharedCluster> {
  const log = await natsLog();
  // It is no program of ours, which ends with this process. Vitest ends this process by the signal alone.
  const endNats = () => process.kill(log.pid, 'SIGKILL');
  process.once('exit', endNats);
  process.once('SIGTERM', () => {
    endNats();
    process.off('exit', endNats);
    process.kill(process.pid, 'SIGTERM');
  });
  const directories = await Promise.all(NODES.map(() => sharedFolder()));
  return { cluster: await startCluster(log, { directories }), logUrl: log.url };
}

async function restore(cluster: ClusterNodes): Promise<void> {
  for (const [node, server] of cluster.servers.entries()) if (!server.running) await cluster.start(node);
  const [north] = cluster.servers;
  if (north === undefined) throw new Error('every node was started');
  const { call } = vectorApi(north.client);
  const { collections } = await call<{ readonly collections: readonly { readonly name: string }[] }>('GET', '/collections');
  for (const { name } of collections) await call('DELETE', `/collections/${encodeURIComponent(name)}`);
}
