// SPDX-License-Identifier: Apache-2.0
/** A cluster as the published API describes one: peers by number, and the log in the place of consensus. */
import { createHash } from 'node:crypto';
import type { ShardKey } from '@sextant/contracts-vector';
import type { ComingShard, PlacedShard, PlacementOperation, Resharding, ShardKeys, Transfer } from '@sextant/vector-collection';
import type { ReplicationStatus } from '@sextant/vector-replication';

export type Peer = {
  readonly node: string;
  readonly address: string;
  /** The position of the log up to which it has everything. */
  readonly applied: number;
  /** Whether its disk has no room. */
  readonly isFull: boolean;
  readonly silentMs: number;
};

/** Another node as every thread knows it. */
export type KnownPeer = Pick<Peer, 'node' | 'address'> & { readonly isDead: boolean };

/** `Partial` on its way to a node, `Recovery` on its way back to one whose disk has lost it. */
export type ReplicaState = 'Active' | 'Partial' | 'Recovery';

/** With its key, where it has one. */
type ShardReplica = { readonly shard: number; readonly key?: ShardKey | undefined; readonly state: ReplicaState };

/** Where a collection's shards are. */
export type ShardsOfCollection = {
  readonly count: number;
  readonly local: readonly (ShardReplica & { readonly points: number })[];
  readonly remote: readonly (ShardReplica & { readonly node: string })[];
  readonly transfers: readonly (Transfer & {
    /** How far it is, in words. */
    readonly comment: string;
  })[];
  /** Copies of shards that are to take the place of others, each with how far it is. */
  readonly resharding: readonly {
    /** Of the resharding. */
    readonly id: string;
    readonly shard: number;
    readonly key?: ShardKey | undefined;
    readonly node: string;
    readonly comment: string;
  }[];
};

/** Which nodes hold the shards of a collection, and what is on its way. */
export type PlacedCollection = {
  readonly name: string;
  readonly shards: readonly PlacedShard[];
  readonly transfers: readonly Transfer[];
  readonly resharding?: Resharding | undefined;
  /** Shards that are to take the place of others. */
  readonly coming: readonly ComingShard[];
  /** Where keys divide its points. */
  readonly shardKeys?: ShardKeys | undefined;
  /** What a new shard key has where its maker says nothing else. */
  readonly defaults: { readonly shards: number; readonly replicas: number };
};

/** What operations may know of the cluster, and do to it. */
export type Cluster = {
  readonly status: ReplicationStatus;
  /** This node and the others, by name. */
  peers(): Promise<readonly Peer[]>;
  forget(node: string): Promise<boolean>;
  /** Resolves when this node has everything that was in the log when it was asked. */
  caughtUp(): Promise<void>;
  /** Undefined of a collection in one piece, which every node has. */
  shardsOf(collection: string): Promise<ShardsOfCollection | undefined>;
  /** Undefined of a collection in one piece. */
  placed(collection: string): PlacedCollection | undefined;
  /** Whether one of some nodes answers for a shard now. */
  answersFor(shard: { readonly collection: string; readonly index: number }, nodes: readonly string[]): Promise<boolean>;
  changePlacement(operation: PlacementOperation): Promise<unknown>;
  /** Whether nodes can ask each other, so that a collection can be in shards. */
  readonly canDivide: boolean;
  /** Nodes for new shards: those that are alive and hold fewest, of some or of all. */
  place(wanted: {
    readonly shards: number;
    readonly replicas: number;
    readonly among?: readonly string[] | undefined;
  }): Promise<readonly (readonly string[])[]>;
  /** Whether what one node has signed is known to the others. */
  readonly sharesCredentials: boolean;
  /** How many shards of all collections a node holds, or is to get. */
  shardsOn(node: string): number;
};

/** A node announces itself every two seconds. */
const DEAD_AFTER_MS = 10_000;
/** As many bytes as a number of JavaScript holds exactly. */
const PEER_ID_BYTES = 6;

/** The API knows peers by numbers; a node has the same one everywhere and always. */
export function peerIdOf(node: string): number {
  return createHash('sha256').update(node).digest().readUIntBE(0, PEER_ID_BYTES);
}

export function isDead({ silentMs }: Peer): boolean {
  return silentMs > DEAD_AFTER_MS;
}

/** Where the published API says whether its consensus works. */
export function logStatusOf(isConnected: boolean, nowMs: number) {
  return isConnected
    ? ({ consensus_thread_status: 'working', last_update: new Date(nowMs).toISOString() } as const)
    : ({ consensus_thread_status: 'stopped_with_err', err: 'the log of the cluster cannot be reached' } as const);
}
