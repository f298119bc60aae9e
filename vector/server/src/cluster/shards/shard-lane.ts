// SPDX-License-Identifier: Apache-2.0
/** The lane between the nodes of a cluster on one thread: reads of collections in shards, wherever these are, and answers to other nodes about those here. */
import type { Server } from 'node:http';
import { ServiceError } from '@sextant/contracts-vector';
import type { Clock, Random } from '@sextant/foundation-std';
import { type CatalogView, type EngineReads, shardedReads, shardName } from '@sextant/vector-collection';
import type { ClusterGauges } from '../cluster-gauges.ts';
import type { ClusterSettings } from '../cluster-settings.ts';
import type { KnownPeer } from '../peers.ts';
import { PeerClient } from './peer-client.ts';
import { Replicas } from './replicas.ts';
import { Seal } from './seal.ts';
import { type ShardServerOptions, serveShards } from './shard-server.ts';

export type ShardLaneOptions = {
  readonly settings: ClusterSettings;
  /** What this node has. */
  readonly base: EngineReads;
  readonly view: CatalogView;
  readonly gauges: ClusterGauges;
  readonly clock: Clock;
  readonly random: Random;
};

export type ShardLane = {
  readonly reads: EngineReads;
  meet(peers: readonly KnownPeer[]): void;
  serve(server: Server, options: Omit<ShardServerOptions, 'seal' | 'reads' | 'clock'>): void;
  close(): void;
};

export function openShardLane({ settings, base, view, gauges, clock, random }: ShardLaneOptions): ShardLane {
  const { node, secret } = settings;
  let peers: ReadonlyMap<string, KnownPeer> = new Map();
  const seal = secret === undefined ? undefined : new Seal(secret);
  const client = seal && new PeerClient({ seal, clock });
  const replicas = new Replicas({
    node,
    own: base,
    peers: () => peers,
    ask: async (address, question, signal) => {
      // Another node has made a collection in shards, and this one was started without the secret.
      if (client === undefined) throw new ServiceError('shard_unavailable', { collection: question.shard, reason: NO_SECRET });
      return client.ask(address, question, signal);
    },
    atLeast: () => gauges.shown,
    clock,
    random,
  });
  const shardsOf = (collection: string) => {
    const placed = view.placementOf(collection);
    if (placed === undefined) return undefined;
    const { name, config, placement } = placed;
    return { name, config, shards: placement.map((nodes, index) => ({ name: shardName(name, index), reads: replicas.readsOf(nodes) })) };
  };
  return {
    reads: shardedReads({ base, shardsOf, random }),
    meet: (met) => {
      peers = new Map(met.map((peer) => [peer.node, peer]));
    },
    serve: (server, options) => {
      if (seal !== undefined) serveShards(server, { ...options, seal, reads: base, clock });
    },
    close: () => client?.close(),
  };
}

const NO_SECRET = 'SERVICE_CLUSTER_SECRET is not set on this node';
