// SPDX-License-Identifier: Apache-2.0
/** Nodes and shards by names, as people know them; the service knows nodes by numbers. */
import type { CollectionClusterInfo } from '@sextant/sdk';
import type { EnabledCluster } from './queries.ts';

export type NodeRow = {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  /** Whether it answers this console. */
  readonly isOwn: boolean;
  /** Entries of the log that it has not applied. */
  readonly behind: number;
  readonly silentSeconds: number;
  /** As the service takes it. */
  readonly isAway: boolean;
};

export type Holder = { readonly id: number; readonly name: string; readonly state: string };

export type ShardRow = {
  readonly shard: number;
  /** The key whose points it has; undefined where ids divide the points. */
  readonly key: string | number | undefined;
  /** Of the copy on the node that answers; undefined where it has none. */
  readonly points: number | undefined;
  readonly holders: readonly Holder[];
  readonly transfers: readonly {
    readonly from: number;
    readonly to: number;
    /** Node to node, and how far it is. */
    readonly text: string;
  }[];
};

/** A node announces itself every two seconds. */
const SILENT_SECONDS_MAX = 10;

export function nodeRows({ peer_id: own, peers, raft_info: { commit } }: EnabledCluster): readonly NodeRow[] {
  return Object.entries(peers)
    .map(([id, { name, uri, applied, silent_seconds: silentSeconds }]) => ({
      id: Number(id),
      name,
      address: uri,
      isOwn: Number(id) === own,
      behind: Math.max(0, commit - applied),
      silentSeconds,
      isAway: silentSeconds > SILENT_SECONDS_MAX,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** One in one piece is on every node; one whose points keys divide may have a single shard. */
export function isInShards({ shard_count: count, local_shards: local, remote_shards: remote }: CollectionClusterInfo): boolean {
  return count !== 1 || [...local, ...remote].some(({ shard_key: key }) => key !== undefined);
}

export function shardRows(info: CollectionClusterInfo, nodes: readonly NodeRow[]): readonly ShardRow[] {
  const nameOf = (id: number) => nodes.find((node) => node.id === id)?.name ?? String(id);
  const copies = [...info.local_shards.map((each) => ({ ...each, peer_id: info.peer_id })), ...info.remote_shards];
  const numbers = [...new Set(copies.map((each) => each.shard_id))].toSorted((one, other) => one - other);
  return numbers.map((shard) => ({
    shard,
    key: copies.find((each) => each.shard_id === shard)?.shard_key,
    points: info.local_shards.find((each) => each.shard_id === shard)?.points_count,
    holders: copies
      .filter((each) => each.shard_id === shard)
      .map(({ peer_id: id, state }) => ({ id, name: nameOf(id), state }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    transfers: info.shard_transfers
      .filter((each) => each.shard_id === shard)
      .map(({ from, to, comment }) => ({ from, to, text: `${nameOf(from)} to ${nameOf(to)}: ${comment}` })),
  }));
}

/** Whole copies, from which another can be made. */
export function sources({ holders }: ShardRow): readonly Holder[] {
  return holders.filter(({ state }) => state === 'Active');
}

/** Nodes that are there and neither have the shard nor get it. */
export function targets({ holders }: ShardRow, nodes: readonly NodeRow[]): readonly NodeRow[] {
  return nodes.filter(({ id, isAway }) => !isAway && !holders.some((holder) => holder.id === id));
}
