// SPDX-License-Identifier: Apache-2.0
/**
 * Nodes of a cluster are killed, paused, cut from their log and robbed of their disks, and shards are moved and divided, while clients write to all of them: what was
 * acknowledged is on every node at the end, the nodes are equal in points, versions and vectors, and no conditional write counts twice. What several clients
 * do to the same points with majority consistency is linearizable, and without consistency no client sees a node go back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@sextant/foundation-std';
import { isLongRun, roundsOf, withSeed } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { type ClusterNodes, LOGS, NODES, serverAt, startCluster } from './cluster-nodes.ts';
import { CollectionLoad, type Held, type LoadSize } from './collection-load.ts';
import { unfinished } from './shard-changes.ts';
import { sharedCluster } from './shared-cluster.ts';

const FAULTS = roundsOf({ quick: 3, long: 200 });
const SIZE: LoadSize = isLongRun()
  ? { clients: 4, registerClients: 3, pauseMs: 0, dividedMax: 4, isDividedByKeys: true }
  : { clients: 2, registerClients: 2, pauseMs: 80, dividedMax: 2, isDividedByKeys: false };
const BETWEEN_MS = 400;
const PAUSED_MS = 700;

const IN_ONE_PIECE: Held = { shard_number: 1 };
const IN_SHARDS: Held = { shard_number: isLongRun() ? 4 : 2, replication_factor: 2 };
const BY_KEYS: Held = { shard_number: 2, replication_factor: 2, sharding_method: 'custom' };

type Run = { readonly log: string; readonly held: readonly Held[]; readonly title: string };

/** Every way to hold a collection at once; in the long run over each of the logs, and by itself. `room.test.ts` cuts PostgreSQL off in a quick run. */
const RUNS: readonly Run[] = isLongRun()
  ? Object.keys(LOGS).flatMap((log) => [
      { log, held: [IN_ONE_PIECE], title: log },
      { log, held: [IN_SHARDS], title: `${log}, in shards` },
      { log, held: [BY_KEYS], title: `${log}, in shards of keys` },
    ])
  : [{ log: 'NATS', held: [IN_ONE_PIECE, IN_SHARDS, BY_KEYS], title: 'NATS, in one piece, in shards, and in shards of keys' }];

describe.each(RUNS)('a cluster over $title', ({ log, held }) => {
  const missing = LOGS[log]?.missing;
  test.skipIf(missing !== undefined)(`keeps what it acknowledged in ${FAULTS} faults`, { timeout: 120_000 + FAULTS * 20_000 }, async () => {
    await using started = await clusterOver(log);
    const { cluster } = started;
    await withSeed(async (random, seed) => {
      const loads = held.map(
        (each, place) => new CollectionLoad(cluster, { collection: `replicated${place}`, held: each, seed: seed + place, size: SIZE }),
      );
      for (const load of loads) await load.create();
      let isOver = false;
      const work = Promise.all(loads.map((load) => load.work(() => isOver)));
      const harm = async () => {
        for (let fault = 0; fault < FAULTS; fault++) {
          await sleep(BETWEEN_MS);
          for (const load of loads) await load.changeShards(random, fault);
          await doHarm(cluster, loads, { random, kind: fault % (held.includes(IN_ONE_PIECE) ? 3 : 4) });
        }
        await sleep(BETWEEN_MS);
      };
      // A client that fails says so at once, and not after all faults.
      await Promise.race([harm(), work]);
      isOver = true;
      await work;
      for (const load of loads) await load.check();
    });
  });
});

/** One over NATS is the shared one. */
async function clusterOver(name: string): Promise<AsyncDisposable & { readonly cluster: ClusterNodes }> {
  if (name === 'NATS') return { ...(await sharedCluster()), [Symbol.asyncDispose]: async () => undefined };
  const log = await LOGS[name]?.start();
  if (log === undefined) throw new Error(`no log ${name}`);
  const cluster = await startCluster(log);
  return {
    cluster,
    [Symbol.asyncDispose]: async () => {
      await cluster[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
    },
  };
}

async function doHarm(
  cluster: ClusterNodes,
  loads: readonly CollectionLoad[],
  { random, kind }: { readonly random: Random; readonly kind: number },
): Promise<void> {
  const node = random.integer(NODES.length);
  const server = serverAt(cluster, node);
  // Each kind in turn, so that a short run has them all.
  switch (kind) {
    case 0:
      await server.kill();
      await sleep(BETWEEN_MS);
      return cluster.start(node);
    case 1:
      process.kill(server.pid, 'SIGSTOP');
      await sleep(PAUSED_MS);
      process.kill(server.pid, 'SIGCONT');
      return;
    case 2:
      return cluster.cutLog();
    default:
      // Of two copies one may be lost, and the other not before that one is back; a new shard may have no more than two either.
      for (const each of NODES.keys()) await settled(each, 120_000);
      await server.kill();
      await cluster.loseDisk(node);
      await cluster.start(node);
      await settled(node, 60_000);
  }

  async function settled(at: number, timeout: number): Promise<void> {
    for (const { collection } of loads) await expect.poll(() => unfinished(cluster, collection, at), { timeout }).toEqual([]);
  }
}
