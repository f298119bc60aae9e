// SPDX-License-Identifier: Apache-2.0
/** A node of a cluster in the writer's thread: opens the log, follows it, and gives the writes that go by it. Loaded only where a log is set. */
import { type Clock, pause } from '@sextant/foundation-std';
import { type Catalog, type CatalogView, type EngineReads, type Log, type OperationRunner, shardName } from '@sextant/vector-collection';
import { type Member, type OperationLog, openOperationLog } from '@sextant/vector-log';
import { placeShards, Replicator, shardedWrites } from '@sextant/vector-replication';
import type { SystemStorage } from '@sextant/vector-storage';
import type { ClusterGauges } from './cluster-gauges.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import { type Cluster, isDead, type KnownPeer, type ShardsOfCollection } from './peers.ts';

export type JoinedCluster = Cluster & {
  readonly runner: OperationRunner;
  /** The same for what the collection itself asks for; a shard's own affairs are no writes to be checked. */
  readonly moves: OperationRunner['onCollection'];
  /** Resolves when this node has what was in the log by now; the collections are loaded. */
  start(): Promise<void>;
  caughtUp(): Promise<void>;
  /** Resolves when this node has everything up to a position of the log. */
  reached(position: number): Promise<void>;
  close(): Promise<void>;
};

export type JoinOptions = {
  readonly settings: ClusterSettings;
  readonly catalog: Catalog;
  readonly system: SystemStorage;
  readonly gauges: ClusterGauges;
  readonly view: CatalogView;
  /** Of this node's collections and shards. */
  readonly base: EngineReads;
  /** Of whole collections, wherever their shards are. */
  readonly reads: EngineReads;
  /** Hears who else is there. */
  readonly meet: (peers: readonly KnownPeer[]) => void;
  readonly clock: Clock;
  readonly log: Log;
};

const RETRY_PAUSE_MS = 1000;

/** Resolves when the log can be reached, however long that takes; undefined where the service ends before. */
export async function joinCluster(
  { settings, catalog, system, gauges, view, base, reads, meet, clock, log }: JoinOptions,
  isEnding: () => boolean,
): Promise<JoinedCluster | undefined> {
  const operationLog = await openWhenReachable(settings, { clock, log }, isEnding);
  if (operationLog === undefined) return undefined;
  const replicator = new Replicator({
    log: operationLog,
    catalog,
    store: system,
    node: settings.node,
    address: settings.address,
    clock,
    logger: log,
    observe: (status) => gauges.write(status),
    meet: (members) => meet(members.map((member) => ({ node: member.node, address: member.address, isDead: isDead(member) }))),
    // Out of every promise, so that it ends the thread, and with it the service.
    failed: (error) =>
      queueMicrotask(() => {
        throw error;
      }),
  });
  const alive = (members: readonly Member[]) => members.filter((member) => member.node === settings.node || !isDead(member));
  const runner = shardedWrites({
    runner: replicator,
    catalog,
    // Without a secret nodes cannot ask each other, and every node has every collection.
    place: async (_, { shard_number: shards, replication_factor: replicas }) => {
      if (settings.secret === undefined || shards == null || shards < 2) return undefined;
      const nodes = alive(await replicator.members()).map(({ node }) => node);
      return placeShards({ shards, replicas: replicas ?? 1, nodes, held: heldBy(nodes, view) });
    },
    retrieve: async (collection, ids) => {
      await replicator.caughtUp();
      return reads.retrieve(collection, { ids, with_payload: false });
    },
  });
  return {
    runner,
    moves: (operation) => replicator.onCollection(operation),
    shardsOf: (collection) => shardsOf(collection, { node: settings.node, view, base }),
    shardsOn: (node) => shardsOn(node, view),
    reached: (position) => replicator.reached(position),
    get status() {
      return replicator.status;
    },
    peers: () => replicator.members(),
    forget: (node) => replicator.forget(node),
    start: () => replicator.start(),
    caughtUp: () => replicator.caughtUp(),
    close: () => replicator.close(),
  };
}

function heldBy(nodes: readonly string[], view: CatalogView): ReadonlyMap<string, number> {
  return new Map(nodes.map((node) => [node, shardsOn(node, view)]));
}

function shardsOn(node: string, view: CatalogView): number {
  const placements = view.names().flatMap((name) => view.placementOf(name)?.placement ?? []);
  return placements.filter((nodes) => nodes.includes(node)).length;
}

async function shardsOf(
  collection: string,
  { node, view, base }: Pick<JoinOptions, 'view' | 'base'> & { readonly node: string },
): Promise<ShardsOfCollection | undefined> {
  const placed = view.placementOf(collection);
  if (placed === undefined) return undefined;
  const { name, placement } = placed;
  const own = placement.flatMap((nodes, shard) => (nodes.includes(node) ? [shard] : []));
  return {
    count: placement.length,
    local: await Promise.all(own.map(async (shard) => ({ shard, points: await base.count(shardName(name, shard), {}) }))),
    remote: placement.flatMap((nodes, shard) => nodes.filter((other) => other !== node).map((other) => ({ shard, node: other }))),
  };
}

async function openWhenReachable(
  { url }: ClusterSettings,
  { clock, log }: Pick<JoinOptions, 'clock' | 'log'>,
  isEnding: () => boolean,
): Promise<OperationLog | undefined> {
  for (let attempt = 0; !isEnding(); attempt++) {
    try {
      return await openOperationLog({ url, clock });
    } catch (error) {
      if (attempt === 0) log.warn({ err: error }, 'the log of the cluster cannot be reached; the service waits for it before it is ready');
      await pause(clock, RETRY_PAUSE_MS);
    }
  }
  return undefined;
}
