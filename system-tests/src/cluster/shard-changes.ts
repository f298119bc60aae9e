// SPDX-License-Identifier: Apache-2.0
/** Changes of the shards of a collection by chance: moves, copies, divisions and keys. Any of them may be refused, or find nodes away. */
import type { Random } from '@sextant/foundation-std';
import type { JsonClient } from '@sextant/foundation-testing';
import { vectorApi } from '../vector-api.ts';
import { type ClusterNodes, NODES, serverAt } from './cluster-nodes.ts';

/** Of all points, where keys divide them. */
export const KEY = 'main';
const TIMEOUT_MS = 5000;

type Info = {
  readonly peer_id: number;
  readonly local_shards: readonly { readonly shard_id: number; readonly state: string }[];
  readonly remote_shards: readonly { readonly shard_id: number; readonly peer_id: number }[];
  readonly shard_transfers: readonly { readonly shard_id: number }[];
  readonly resharding_operations: readonly { readonly shard_id: number }[];
  readonly shard_count: number;
};

function infoOf(cluster: ClusterNodes, collection: string, node: number): Promise<Info> {
  return vectorApi(serverAt(cluster, node).client).call<Info>('GET', `/collections/${collection}/cluster`);
}

async function change(client: JsonClient, collection: string, body: object): Promise<boolean> {
  const reply = await client.request('POST', `/collections/${collection}/cluster`, body, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return reply.status === 200;
}

/** Shards that are moved, copied or divided. */
export async function onTheirWay(cluster: ClusterNodes, collection: string, node: number): Promise<readonly unknown[]> {
  const { shard_transfers: transfers, resharding_operations: resharding } = await infoOf(cluster, collection, node);
  return [...transfers, ...resharding];
}

/** Shards that are divided, and those that a node has lost and not got back. */
export async function unfinished(cluster: ClusterNodes, collection: string, node: number): Promise<readonly unknown[]> {
  const { local_shards: local, resharding_operations: resharding } = await infoOf(cluster, collection, node);
  return [...resharding, ...local.filter(({ state }) => state === 'Recovery')];
}

/** A key is made, or dropped. */
export async function changeKey(
  client: JsonClient,
  collection: string,
  { key, isMade }: { readonly key: string; readonly isMade: boolean },
): Promise<void> {
  const path = `/collections/${collection}/shards${isMade ? '' : '/delete'}`;
  await client.request(isMade ? 'PUT' : 'POST', path, { shard_key: key }, { signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/**
 * Begins to divide all shards, or gives up what is on its way, by chance.
 * @param dividedMax shards are divided of collections that have no more than so many
 * @returns how many divisions have begun: none where nodes are away, or where there are shards enough
 */
export async function divideShards(
  cluster: ClusterNodes,
  collection: string,
  { random, dividedMax, key }: { readonly random: Random; readonly dividedMax: number; readonly key: string | undefined },
): Promise<number> {
  const node = random.integer(NODES.length);
  const givesUp = random.integer(4) === 0;
  const { client } = serverAt(cluster, node);
  try {
    const { resharding_operations: running, shard_count: count } = await infoOf(cluster, collection, node);
    if (running.length > 0 && givesUp) await change(client, collection, { abort_resharding: {} });
    if (running.length > 0 || count > dividedMax) return 0;
    const start_resharding = { direction: 'up', ...(key === undefined ? {} : { shard_key: key }) };
    return (await change(client, collection, { start_resharding })) ? 1 : 0;
  } catch {
    return 0;
  }
}

/**
 * Begins to move or copy a shard to the node that does not have it, or has one of three copies given up; what goes wrong next meets it on its way.
 * @returns how many changes have begun: none where nodes are away, or where the shard is on its way already
 */
export async function moveShard(cluster: ClusterNodes, collection: string, random: Random): Promise<number> {
  const chosen = random.integer(1000);
  const kind = random.integer(3) === 0 ? 'replicate_shard' : 'move_shard';
  const { client } = serverAt(cluster, random.integer(NODES.length));
  try {
    const infos = await Promise.all(NODES.map((_, node) => infoOf(cluster, collection, node)));
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
    return (await change(client, collection, body)) ? 1 : 0;
  } catch {
    return 0;
  }
}
