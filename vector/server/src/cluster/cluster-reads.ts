// SPDX-License-Identifier: Apache-2.0
/** What a thread that reads can say of the cluster: as this node knows it, without a question to the log. */
import type { CatalogView, EngineReads } from '@sextant/vector-collection';
import type { IncomingStatus, ReplicationStatus } from '@sextant/vector-replication';
import type { ClusterGauges } from './cluster-gauges.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { KnownPeer, ShardsOfCollection } from './peers.ts';
import { shardsOfAll } from './placed-shards.ts';
import type { ShardLane } from './shards/shard-lane.ts';

export type ClusterReads = {
  readonly node: string;
  readonly address: string;
  readonly status: Pick<ReplicationStatus, 'applied' | 'last' | 'isConnected'>;
  others(): readonly KnownPeer[];
  /** Of those collections that are in shards, by name. */
  shardsOf(collections: readonly string[]): Promise<ReadonlyMap<string, ShardsOfCollection>>;
  /** Of what this node has itself: collections in one piece, shards, and definitions without points. */
  readonly own: EngineReads;
};

export type ClusterReadsOptions = {
  readonly settings: Pick<ClusterSettings, 'node' | 'address'>;
  readonly gauges: Pick<ClusterGauges, 'status'>;
  readonly lane: Pick<ShardLane, 'others' | 'peers'>;
  readonly view: CatalogView;
  readonly base: EngineReads;
  /** What is on its way to this node. */
  readonly incoming: () => Promise<readonly IncomingStatus[]>;
};

export function clusterReads({ settings, gauges, lane, view, base, incoming }: ClusterReadsOptions): ClusterReads {
  const { node, address } = settings;
  return {
    node,
    address,
    get status() {
      return gauges.status;
    },
    others: () => lane.others(),
    shardsOf: (collections) => shardsOfAll(collections, { node, view, base, peers: lane.peers, incoming }),
    own: base,
  };
}
