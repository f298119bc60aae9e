// SPDX-License-Identifier: Apache-2.0
/** A node of a cluster in the writer's thread: opens the log, follows it, and gives the writes that go by it. Loaded only where a log is set. */
import { ServiceError } from '@sextant/contracts-vector';
import { type Clock, pause } from '@sextant/foundation-std';
import type {
  Catalog,
  CatalogListing,
  CatalogOperation,
  CatalogView,
  CredentialsOperation,
  EngineReads,
  Log,
  MakeShardKey,
  OperationRunner,
  SnapshotFolder,
  Snapshots,
} from '@sextant/vector-collection';
import { isThrowawayLog, type Member, type OperationLog, openOperationLog } from '@sextant/vector-log';
import { confirmedWrites, type IncomingStatus, placeShards, Replicator, shardedWrites, writesWithRoom } from '@sextant/vector-replication';
import type { SystemStorage } from '@sextant/vector-storage';
import type { ClusterGauges } from './cluster-gauges.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import { copiesOfWrites } from './copies-of-writes.ts';
import { endingRecoveries } from './ending-recoveries.ts';
import { type Cluster, isDead, type KnownPeer } from './peers.ts';
import { answersFor, placedCollection, shardsOf, shardsOn } from './placed-shards.ts';
import { replacingCopies } from './replacing-copies.ts';
import { firstSource, receiveShard } from './shards/receive-copy.ts';
import type { PeerLane } from './shards/shard-lane.ts';
import { type SnapshotsOfShards, snapshotsOfShards } from './shards/snapshots-of-shards.ts';

export type JoinedCluster = Cluster & {
  readonly runner: OperationRunner;
  /** The same for what the collection itself asks for; a shard's own affairs are no writes to be checked. */
  readonly moves: OperationRunner['onCollection'];
  /** Known to every thread of this node when it resolves. */
  readonly changeCredentials: (operation: CredentialsOperation) => Promise<unknown>;
  /** Resolves when this node has what was in the log by now; the collections are loaded. */
  start(): Promise<void>;
  /** Which collections there are, no earlier than at a position of the log. */
  listing(atLeast: number): Promise<CatalogListing>;
  /** Shards that are on their way to this node. */
  readonly incoming: readonly IncomingStatus[];
  caughtUp(): Promise<void>;
  /** Resolves when this node has everything up to a position of the log. */
  reached(position: number): Promise<void>;
  /** Makes snapshots of collections in shards, wherever these are. */
  readonly snapshots: SnapshotsOfShards;
  /** Makes a key as a snapshot has it; its shards go to the nodes that are there. */
  readonly makeShardKey: MakeShardKey;
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
  /** Questions to other nodes. */
  readonly peers: PeerLane;
  /** Take in what other nodes have packed, and pack what is here. */
  readonly snapshots: Pick<Snapshots, 'pack' | 'receive' | 'isRecovering'>;
  readonly folder: SnapshotFolder;
  /** Whether this node's disk has no room. */
  readonly isFull: () => boolean;
  /** Hears who else is there. */
  readonly meet: (peers: readonly KnownPeer[]) => void;
  readonly clock: Clock;
  readonly log: Log;
};

const RETRY_PAUSE_MS = 1000;

/** Resolves when the log can be reached, however long that takes; undefined where the service ends before. */
export async function joinCluster(
  { settings, catalog, system, gauges, view, base, reads, peers, snapshots, folder, isFull, meet, clock, log }: JoinOptions,
  isEnding: () => boolean,
): Promise<JoinedCluster | undefined> {
  const operationLog = await openWhenReachable(settings, { clock, log }, isEnding);
  if (operationLog === undefined) return undefined;
  let met: readonly KnownPeer[] = [];
  let full: ReadonlySet<string> = new Set();
  const introduce = (members: readonly Member[]) => {
    full = new Set(members.filter((member) => member.isFull && !isDead(member)).map(({ node }) => node));
    met = members.map((member) => ({ node: member.node, address: member.address, isDead: isDead(member) }));
    meet(met);
  };
  const ended = new AbortController();
  const receiving = { peers, snapshots, folder, clock };
  const others = async () => {
    const members = await operationLog.members();
    introduce(members);
    return members.map(({ node }) => node).filter((node) => node !== settings.node);
  };
  const submit = (operation: CatalogOperation) => replicator.onCatalog(operation);
  const endRecoveries = endingRecoveries({ node: settings.node, catalog, snapshots, submit, log });
  const replace = replacingCopies({
    node: settings.node,
    afterMs: settings.replaceAfterMs,
    // Without a secret nodes cannot ask each other.
    canCopy: settings.secret !== undefined,
    view,
    catalog,
    gauges,
    submit,
    clock,
    log,
  });
  const replicator: Replicator = new Replicator({
    log: operationLog,
    catalog,
    store: system,
    node: settings.node,
    address: settings.address,
    clock,
    logger: log,
    isFull,
    observe: (status) => gauges.write(status),
    meet: (members) => {
      introduce(members);
      endRecoveries();
      replace(members);
    },
    ...(settings.secret === undefined
      ? {}
      : {
          receive: receiveShard({ ...receiving, node: settings.node, reached: (position) => replicator.reached(position) }),
          source: firstSource({ ...receiving, others, signal: ended.signal }),
        }),
    // Out of every promise, so that it ends the thread, and with it the service.
    failed: (error) =>
      queueMicrotask(() => {
        throw error;
      }),
  });
  const alive = (members: readonly Member[]) => members.filter((member) => member.node === settings.node || !isDead(member));
  const copies = copiesOfWrites({
    node: settings.node,
    view,
    base,
    peers,
    met: () => met,
    meet: async () => introduce(await operationLog.members()),
    replicator,
  });
  // Without a secret nodes cannot ask each other.
  const confirmed = settings.secret === undefined ? replicator : confirmedWrites({ runner: replicator, ...copies, clock });
  const place: Cluster['place'] = async ({ shards, replicas, among }) => {
    const living = alive(await replicator.members()).filter(({ node }) => among?.includes(node) !== false);
    const withRoom = living.filter((member) => !member.isFull);
    const nodes = (withRoom.length > 0 ? withRoom : living).map(({ node }) => node);
    return placeShards({ shards, replicas, nodes, held: heldBy(nodes, view) });
  };
  const runner = shardedWrites({
    runner: writesWithRoom({
      runner: confirmed,
      partsOf: (collection) => {
        const placed = placedCollection(view, collection);
        return placed && [...placed.shards, ...placed.coming];
      },
      // What this node's own disk allows has been asked before.
      isFull: (node) => node !== settings.node && full.has(node),
      meet: copies.meet,
    }),
    catalog,
    // Without a secret nodes cannot ask each other, and every node has every collection.
    place: async (_, { shard_number: shards, replication_factor: replicas, sharding_method: method }) => {
      const isDivided = settings.secret !== undefined && (method === 'custom' || (shards != null && shards > 1));
      if (!isDivided) return undefined;
      // Shards of keys come with the keys.
      return method === 'custom' ? [] : place({ shards: shards ?? 1, replicas: replicas ?? 1 });
    },
    caughtUp: () => replicator.caughtUp(),
    retrieve: async (collection, ids, shardKey) => {
      await replicator.caughtUp();
      return reads.retrieve(collection, { ids, with_payload: false, shard_key: shardKey ?? null });
    },
  });
  return {
    runner,
    moves: (operation) => replicator.onCollection(operation),
    get incoming() {
      return replicator.incoming;
    },
    shardsOf: (collection) => shardsOf(collection, { node: settings.node, view, base, peers, incoming: () => replicator.incoming }),
    placed: (collection) => placedCollection(view, collection),
    answersFor: async (shard, nodes) => {
      // One that has just joined is as good as any other.
      introduce(await replicator.members());
      return answersFor(shard, nodes, { node: settings.node, view, peers });
    },
    changePlacement: submit,
    place,
    canDivide: settings.secret !== undefined,
    changeCredentials: (operation) => replicator.onCatalog(operation),
    sharesCredentials: settings.secret !== undefined,
    shardsOn: (node) => shardsOn(node, view),
    reached: (position) => replicator.reached(position),
    makeShardKey: async (collection, { key, ...wanted }, recovery) =>
      submit({ kind: 'create_shard_key', collection, key, nodes: await place(wanted), recovery }),
    snapshots: snapshotsOfShards({
      ...receiving,
      node: settings.node,
      view,
      catalog,
      caughtUp: async () => {
        await replicator.caughtUp();
        return replicator.status.applied;
      },
      signal: ended.signal,
    }),
    get status() {
      return replicator.status;
    },
    peers: () => replicator.members(),
    forget: (node) => replicator.forget(node),
    start: () => replicator.start(),
    caughtUp: () => replicator.caughtUp(),
    listing: async (atLeast) => {
      await replicator.reached(atLeast);
      const reason = 'a node that cannot read all of its data does not serve copies';
      if (catalog.hasFailed) throw new ServiceError('collection_unreadable', { collection: `on ${settings.node}`, reason });
      return replicator.listing();
    },
    close: () => {
      ended.abort(new ServiceError('shutting_down'));
      return replicator.close();
    },
  };
}

function heldBy(nodes: readonly string[], view: CatalogView): ReadonlyMap<string, number> {
  return new Map(nodes.map((node) => [node, shardsOn(node, view)]));
}

async function openWhenReachable(
  { url }: ClusterSettings,
  { clock, log }: Pick<JoinOptions, 'clock' | 'log'>,
  isEnding: () => boolean,
): Promise<OperationLog | undefined> {
  if (isThrowawayLog(url)) log.warn({ url }, 'SERVICE_CLUSTER_LOG is an in-memory log: data written now cannot be opened after a restart');
  for (let attempt = 0; !isEnding(); attempt++) {
    try {
      return await openOperationLog({ url, clock });
    } catch (error) {
      if (attempt === 0) log.warn({ err: error }, 'the log of the cluster cannot be reached; the service is not ready until it can');
      await pause(clock, RETRY_PAUSE_MS);
    }
  }
  return undefined;
}
