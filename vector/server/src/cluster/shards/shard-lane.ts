// SPDX-License-Identifier: Apache-2.0
/** The lane between the nodes of a cluster on one thread: reads of collections in shards, wherever these are, and answers to other nodes about those here. */
import type { Server } from 'node:http';
import { ServiceError } from '@sextant/contracts-vector';
import type { Clock, Random } from '@sextant/foundation-std';
import { type CatalogView, collectionOfShard, type EngineReads, numberOfShard, shardedReads } from '@sextant/vector-collection';
import type { ClusterGauges } from '../cluster-gauges.ts';
import type { ClusterSettings } from '../cluster-settings.ts';
import type { KnownPeer } from '../peers.ts';
import { PeerClient, PeerFailure } from './peer-client.ts';
import type { CopyQuestion, ShardQuestion } from './question.ts';
import { Replicas } from './replicas.ts';
import { Seal } from './seal.ts';
import { type ShardServerOptions, serveShards } from './shard-server.ts';

export type ShardLaneOptions = {
  readonly settings: ClusterSettings;
  /** What this node has. */
  readonly base: EngineReads;
  readonly view: CatalogView;
  readonly gauges: ClusterGauges;
  /** Resolves when this node has everything that any node had acknowledged by now, and this thread knows it. */
  readonly caughtUp: () => Promise<void>;
  /** Resolves when this node has everything up to a position of the log, and this thread knows it. */
  readonly reached: (position: number) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
};

/** Questions to other nodes that are not reads. */
export type PeerLane = {
  /** Those of some nodes that are there, the dead ones last. */
  known(nodes: readonly string[]): readonly KnownPeer[];
  ask(peer: KnownPeer, question: CopyQuestion | ShardQuestion, signal: AbortSignal): Promise<unknown>;
  bytes(peer: KnownPeer, question: CopyQuestion, signal: AbortSignal): Promise<Buffer>;
};

export type ShardLane = {
  readonly reads: EngineReads;
  /** Asks another node by its name. */
  readonly peers: PeerLane;
  meet(peers: readonly KnownPeer[]): void;
  /** As this thread has heard of them. */
  others(): readonly KnownPeer[];
  serve(server: Server, options: Omit<ShardServerOptions, 'seal' | 'reads' | 'clock' | 'reached' | 'applied' | 'isPlacedHere'>): void;
  close(): void;
};

export function openShardLane({ settings, base, view, gauges, caughtUp, reached, clock, random }: ShardLaneOptions): ShardLane {
  const { node, secret } = settings;
  let peers: ReadonlyMap<string, KnownPeer> = new Map();
  const seal = secret === undefined ? undefined : new Seal(secret);
  const client = seal && new PeerClient({ seal, clock });
  const replicas = new Replicas({
    node,
    own: base,
    has: (shard) => view.servedView(shard) !== undefined,
    reached,
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
  const holdersOf = (shard: string) => view.placementOf(collectionOfShard(shard))?.config.placement?.[numberOfShard(shard)] ?? [];
  const isPlacedHere = (shard: string) => holdersOf(shard).includes(node);
  const shardsOf = (collection: string) => {
    const placed = view.placementOf(collection);
    if (placed === undefined) return undefined;
    const shards = placed.shards.map(({ name, place }) => ({ name, place, reads: replicas.readsOf(() => holdersOf(name)) }));
    return { name: placed.name, config: placed.config, shards };
  };
  return {
    peers: {
      known: (nodes) => {
        const known = nodes.flatMap((name) => (name === node ? [] : (peers.get(name) ?? [])));
        return known.toSorted((one, other) => Number(one.isDead) - Number(other.isDead));
      },
      ask: async ({ address }, question, signal) => requireClient(client).ask(address, question, signal),
      bytes: async ({ address }, question, signal) => requireClient(client).bytes(address, question, signal),
    },
    reads: shardedReads({ base, shardsOf, caughtUp, random }),
    meet: (met) => {
      peers = new Map(met.map((peer) => [peer.node, peer]));
    },
    others: () => [...peers.values()].filter((peer) => peer.node !== node),
    serve: (server, options) => {
      if (seal !== undefined)
        serveShards(server, { ...options, seal, reads: base, reached, applied: () => gauges.applied, isPlacedHere, clock });
    },
    close: () => client?.close(),
  };
}

function requireClient(client: PeerClient | undefined): PeerClient {
  if (client === undefined) throw new PeerFailure(NO_SECRET);
  return client;
}

const NO_SECRET = 'SERVICE_CLUSTER_SECRET is not set on this node';
