// SPDX-License-Identifier: Apache-2.0
/**
 * Nodes of a cluster are killed, paused, cut from their log and robbed of their disks, and shards are moved and divided, while clients write to all of them: what was
 * acknowledged is on every node at the end, the nodes are equal in points, versions and vectors, and no conditional write counts twice. What several clients
 * do to the same points with majority consistency is linearizable, and without consistency no client sees a node go back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import { isLongRun, type JsonClient, roundsOf, withSeed } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { type CollectionApi, scrollAll, vectorApi } from '../vector-api.ts';
import { ClusterClient, COLLECTION, COUNTER } from './cluster-client.ts';
import { type ClusterNodes, LOGS, NODES, startCluster } from './cluster-nodes.ts';
import { RegisterClient, RegisterHistory } from './register-client.ts';

const FAULTS = roundsOf({ quick: 3, long: 200 });
const CLIENTS = 4;
/** Of the clients that share points. */
const REGISTER_CLIENTS = 3;
const BETWEEN_MS = 400;
const PAUSED_MS = 700;

/** How the collection is held, by log; the long run has every pair. */
const IN_ONE_PIECE = { shard_number: 1 };
const IN_SHARDS = { shard_number: isLongRun() ? 4 : 2, replication_factor: 2 };
/** Those are divided that are no more than so many. */
const DIVIDED_MAX = 4;
/** All points are under one key, and another one comes and goes. */
const BY_KEYS = { shard_number: 2, replication_factor: 2, sharding_method: 'custom' } as const;
const PAIRS = Object.keys(LOGS).flatMap((log, place) => {
  const pairs = [
    { log, held: IN_ONE_PIECE, title: log },
    { log, held: IN_SHARDS, title: `${log}, in shards` },
    { log, held: BY_KEYS, title: `${log}, in shards of keys` },
  ];
  return isLongRun() ? pairs : place % 2 === 0 ? pairs.slice(0, 1) : pairs.slice(1);
});

describe.each(PAIRS)('a cluster over $title', ({ log: name, held }) => {
  const { missing, start } = LOGS[name] ?? { missing: `no log ${name}`, start: () => Promise.reject(new Error(name)) };
  test.skipIf(missing !== undefined)(`keeps what it acknowledged in ${FAULTS} faults`, { timeout: 120_000 + FAULTS * 20_000 }, async () => {
    await using log = await start();
    await using cluster = await startCluster(log);
    await withSeed(async (random, seed) => {
      const isKeyed = held === BY_KEYS;
      const isSharded = isKeyed || held === IN_SHARDS;
      const nodeAt = (node: number) => (isKeyed ? underKey(serverAt(cluster, node).client) : serverAt(cluster, node).client);
      const api = (node: number) => vectorApi(nodeAt(node)).collection(COLLECTION);
      await api(0).create({ vectors: { size: 2, distance: 'Euclid' }, ...held });
      if (isKeyed) await vectorApi(serverAt(cluster, 0).client).call('PUT', `/collections/${COLLECTION}/shards`, { shard_key: KEY });
      await api(0).upsert([{ id: COUNTER, vector: [0, 0], payload: { value: 0 } }]);
      for (const node of NODES.keys()) await expect.poll(() => api(node).exists()).toBe(true);

      let moves = 0;
      let divisions = 0;
      // Each copy of a new shard is taken in by a process of its own, which a short run has few of.
      const isDivided = isSharded && (isLongRun() || !isKeyed);
      let isOver = false;
      const clients = Array.from({ length: CLIENTS }, (_, number) => {
        return new ClusterClient(number, seededRandom(seed + number), nodeAt);
      });
      const history = new RegisterHistory();
      const registerClients = Array.from({ length: REGISTER_CLIENTS }, (_, number) => {
        const random = seededRandom(seed + CLIENTS + number);
        return new RegisterClient({ history, random, nodeAt, nowMs: systemClock.monotonicMs, isKeyed });
      });
      const work = Promise.all(
        [...clients, ...registerClients].map(async (client) => {
          while (!isOver) await client.step(NODES.length);
        }),
      );
      const harm = async () => {
        for (let fault = 0; fault < FAULTS; fault++) {
          await sleep(BETWEEN_MS);
          if (isSharded) moves += await moveShard(cluster, random);
          if (isDivided) divisions += await divideShards(cluster, random, isKeyed ? KEY : undefined);
          if (isKeyed) await changeKey(serverAt(cluster, random.integer(NODES.length)).client, fault);
          await doHarm(cluster, random, { kind: fault % (isSharded ? 4 : 3) });
        }
        await sleep(BETWEEN_MS);
      };
      // A client that fails says so at once, and not after all faults.
      await Promise.race([harm(), work]);
      isOver = true;
      await work;

      for (const node of NODES.keys()) await expect.poll(() => onTheirWay(cluster, node), { timeout: 90_000 }).toEqual([]);
      const views = [];
      for (const node of NODES.keys()) {
        await expect.poll(async () => behind(cluster, node)).toBe(0);
        views.push(await everything(api(node)));
      }
      for (const [node, view] of views.entries()) {
        expect(view, `${NODES[node]} and ${NODES[0]}`).toEqual(views[0]);
        for (const client of clients) client.checkAll(view.values, `on ${NODES[node]} at the end`);
      }
      expect(clients.flatMap(({ violations }) => violations)).toEqual([]);
      for (const node of NODES.keys()) for (const register of history.all) await registerClients[0]?.read(node, register);
      expect([...history.violations, ...registerClients.flatMap(({ violations }) => violations)]).toEqual([]);
      // Otherwise the test has shown less than it says.
      if (isSharded) expect(moves).toBeGreaterThan(0);
      if (isDivided) expect(divisions).toBeGreaterThan(0);
      expect(history.answeredReads).toBeGreaterThan(NODES.length * history.all.length);
      expect(history.withStaleReads().violations).toHaveLength(history.all.length);
      for (const { acknowledged } of clients) expect(acknowledged).toBeGreaterThan(0);
      const counter = views[0]?.values.get(COUNTER) ?? 0;
      expect(counter).toBeGreaterThan(0);
      expect(counter).toBeLessThanOrEqual(clients.reduce((sum, { counted }) => sum + counted, 0));
    });
  });
});

/** Of all points, where keys divide them. */
const KEY = 'main';

/** Every request about points names the key. */
function underKey(client: JsonClient): JsonClient {
  return {
    ...client,
    request: (method, path, body, options) => {
      const isAboutPoints = path.startsWith(`/collections/${COLLECTION}/points`) && typeof body === 'object';
      return client.request(method, path, isAboutPoints ? { ...body, shard_key: KEY } : body, options);
    },
  };
}

/** A key that nothing is written under is made, and dropped; a node that is away makes none. */
async function changeKey(client: JsonClient, fault: number): Promise<void> {
  const path = `/collections/${COLLECTION}/shards${fault % 2 === 0 ? '' : '/delete'}`;
  const signal = AbortSignal.timeout(5000);
  await client.request(fault % 2 === 0 ? 'PUT' : 'POST', path, { shard_key: 'other' }, { signal }).catch(() => undefined);
}

async function doHarm(cluster: ClusterNodes, random: Random, { kind }: { readonly kind: number }): Promise<void> {
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
      for (const each of NODES.keys()) await expect.poll(() => unfinished(cluster, each), { timeout: 120_000 }).toEqual([]);
      await server.kill();
      await cluster.loseDisk(node);
      await cluster.start(node);
      await expect.poll(() => unfinished(cluster, node), { timeout: 60_000 }).toEqual([]);
  }
}

type Info = {
  readonly peer_id: number;
  readonly local_shards: readonly { readonly shard_id: number; readonly state: string }[];
  readonly remote_shards: readonly { readonly shard_id: number; readonly peer_id: number }[];
  readonly shard_transfers: readonly { readonly shard_id: number }[];
  readonly resharding_operations: readonly { readonly shard_id: number }[];
  readonly shard_count: number;
};

function infoOf(cluster: ClusterNodes, node: number): Promise<Info> {
  return vectorApi(serverAt(cluster, node).client).call<Info>('GET', `/collections/${COLLECTION}/cluster`);
}

/** Shards that are moved, copied or divided. */
async function onTheirWay(cluster: ClusterNodes, node: number): Promise<readonly unknown[]> {
  const { shard_transfers: transfers, resharding_operations: resharding } = await infoOf(cluster, node);
  return [...transfers, ...resharding];
}

/** Shards that are divided, and those that a node has lost and not got back. */
async function unfinished(cluster: ClusterNodes, node: number): Promise<readonly unknown[]> {
  const { local_shards: local, resharding_operations: resharding } = await infoOf(cluster, node);
  return [...resharding, ...local.filter(({ state }) => state === 'Recovery')];
}

/**
 * Begins to divide all shards, or gives up what is on its way, by chance.
 * @returns how many divisions have begun: none where nodes are away, or where there are shards enough
 */
async function divideShards(cluster: ClusterNodes, random: Random, key: string | undefined): Promise<number> {
  const node = random.integer(NODES.length);
  const givesUp = random.integer(4) === 0;
  const ask = (body: object) =>
    serverAt(cluster, node).client.request('POST', `/collections/${COLLECTION}/cluster`, body, { signal: AbortSignal.timeout(5000) });
  try {
    const { resharding_operations: running, shard_count: count } = await infoOf(cluster, node);
    if (running.length > 0 && givesUp) await ask({ abort_resharding: {} });
    if (running.length > 0 || count > DIVIDED_MAX) return 0;
    const { status } = await ask({ start_resharding: { direction: 'up', ...(key === undefined ? {} : { shard_key: key }) } });
    return status === 200 ? 1 : 0;
  } catch {
    return 0;
  }
}

/**
 * Begins to move or copy a shard to the node that does not have it, or has one of three copies given up; what goes wrong next meets it on its way.
 * @returns how many changes have begun: none where nodes are away, or where the shard is on its way already
 */
async function moveShard(cluster: ClusterNodes, random: Random): Promise<number> {
  const chosen = random.integer(1000);
  const kind = random.integer(3) === 0 ? 'replicate_shard' : 'move_shard';
  const { client } = serverAt(cluster, random.integer(NODES.length));
  try {
    const infos = await Promise.all(NODES.map((_, node) => infoOf(cluster, node)));
    const shards = [...new Set(infos.flatMap(({ local_shards: local }) => local.map((each) => each.shard_id)))];
    const shard_id = shards[chosen % shards.length] ?? 0;
    // With two copies on their way or on a disk that goes, dropping another would leave none.
    if (infos.some(({ shard_transfers: transfers }) => transfers.some((each) => each.shard_id === shard_id))) return 0;
    const peers = infos.map(({ peer_id: peer }) => peer);
    const holders = infos
      .filter(({ local_shards: local }) => local.some((each) => each.shard_id === shard_id))
      .map(({ peer_id: peer }) => peer);
    const from = holders[random.integer(holders.length)];
    const to = peers.find((peer) => !holders.includes(peer));
    const body =
      to === undefined ? { drop_replica: { shard_id, peer_id: from } } : { [kind]: { shard_id, from_peer_id: from, to_peer_id: to } };
    const reply = await client.request('POST', `/collections/${COLLECTION}/cluster`, body, { signal: AbortSignal.timeout(5000) });
    return reply.status === 200 ? 1 : 0;
  } catch {
    return 0;
  }
}

function serverAt(cluster: ClusterNodes, node: number) {
  const server = cluster.servers[node];
  if (server === undefined) throw new Error('every node was started');
  return server;
}

/** How many positions of the log a node still has to apply. */
async function behind(cluster: ClusterNodes, node: number): Promise<number> {
  type Status = { readonly raft_info: { readonly commit: number; readonly pending_operations: number } };
  const statuses = await Promise.all(cluster.servers.map(({ client }) => vectorApi(client).call<Status>('GET', '/cluster')));
  const newest = Math.max(...statuses.map(({ raft_info: { commit } }) => commit));
  const own = statuses[node]?.raft_info;
  return own === undefined ? newest : newest - own.commit + own.pending_operations;
}

/** Points with vectors, and with the versions and scores that a search gives. */
async function everything(api: CollectionApi) {
  const points = await scrollAll(api);
  const hits = await api.search({ vector: [1, 1], limit: points.length + 1, params: { exact: true } });
  const found = hits.map(({ id, score, version }) => `${score} ${id} ${version}`).toSorted();
  return { points, found, values: new Map(points.map(({ id, payload }) => [Number(id), Number(payload?.value)])) };
}
