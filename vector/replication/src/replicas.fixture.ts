// SPDX-License-Identifier: Apache-2.0
/** Nodes over one log in memory, each with storage of its own, for tests. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, seededRandom, systemClock } from '@sextant/foundation-std';
import {
  Catalog,
  CatalogView,
  countNothing,
  type Engine,
  type EngineReads,
  engineReads,
  engineWrites,
  GraphIndexer,
  isAwaited,
  localRunner,
  maintenance,
  type OperationRunner,
  type ReceivedCollection,
  SnapshotFolder,
  Snapshots,
  shardedReads,
  silentLog,
} from '@sextant/vector-collection';
import { importHere } from '@sextant/vector-collection/conformance';
import { MemoryLog, MemoryLogStore, type OperationLog } from '@sextant/vector-log';
import { openCollectionReader, openCollectionStorage, openSystemStorage } from '@sextant/vector-storage';
import type { FirstSource } from './first-copy.ts';
import type { ReceiveShard } from './incoming-shard.ts';
import { Replicator } from './replicator.ts';
import { shardedWrites } from './sharded-writes.ts';

type NodeEngine = Omit<Engine, 'listSnapshots' | 'snapshotFile' | 'createSnapshot' | 'deleteSnapshot' | 'recover'>;

export type TestNode = {
  readonly engine: NodeEngine;
  readonly replicator: Replicator | undefined;
  readonly catalog: Catalog;
  readonly snapshots: Snapshots;
  readonly folder: SnapshotFolder;
  /** Everything that is on disk of a collection's points: by id, with versions, payloads and the bytes of the vectors. */
  dump(collection: string): readonly string[];
  readonly failures: readonly Error[];
};

/** What other nodes may ask of one. */
type TestPeer = { readonly replicator: Replicator | undefined; readonly base: EngineReads; readonly snapshots: Snapshots };

export type NodeOptions = {
  readonly directory: string;
  /** Without one the node stands alone. */
  readonly log?: OperationLog | undefined;
  readonly name?: string;
  readonly clock?: Clock;
  readonly vectorMemoryBytes?: number;
  /** New collections are in so many shards, all of them on this node. */
  readonly shards?: number;
  /** Which nodes they are on instead. */
  readonly placement?: readonly (readonly string[])[];
  /** The nodes that it can ask, by name; it becomes one of them. */
  readonly peers?: Map<string, TestPeer>;
  /** Comes before a copy of a shard is asked for. */
  readonly beforeCopy?: (signal: AbortSignal) => Promise<void>;
  /** Comes when the copy is there, and before the shard takes in what the log has brought since. */
  readonly afterCopy?: () => Promise<unknown>;
};

export async function openNode(options: NodeOptions): Promise<TestNode> {
  const { directory, log, name = 'a', clock = systemClock, vectorMemoryBytes, peers = new Map<string, TestPeer>() } = options;
  const placement = options.placement ?? Array.from({ length: options.shards ?? 0 }, () => [name]);
  const system = openSystemStorage({ directory: join(directory, 'system') });
  const view = new CatalogView({ clock, random: seededRandom(1), log: silentLog, residentMemoryPercent: () => 0 });
  const indexer = new GraphIndexer({ log: silentLog, clock: systemClock });
  const failures: Error[] = [];
  const catalog: Catalog = new Catalog({
    dataDirectory: directory,
    system,
    log: silentLog,
    clock,
    vectorMemoryBytes,
    node: name,
    listener: {
      event: async (event) => {
        indexer.apply(event);
        const ended = view.apply(event);
        if (isAwaited(event)) await ended;
      },
      written: (collection) => indexer.written(collection),
    },
    ...(log === undefined
      ? {}
      : {
          moves: (collection, token, key) =>
            replicator?.onCollection({ kind: 'move_points', collection, token, ...(key === undefined ? {} : { shardKey: key }) }) ??
            Promise.resolve(),
        }),
  });
  const folder = new SnapshotFolder({ directory: join(directory, 'snapshots'), clock });
  const snapshots = new Snapshots({
    catalog,
    folder,
    runner: { onCatalog: (operation) => writes.onCatalog(operation), onCollection: (operation) => writes.onCollection(operation) },
    isReplicated: log !== undefined,
    ...(log === undefined ? {} : { node: name }),
    makeShardKey:
      log &&
      (async (collection, { key, shards, replicas }, recovery) => {
        const others = [...peers.keys()].filter((other) => other !== name);
        const nodes = Array.from({ length: shards }, () => [name, ...others].slice(0, replicas));
        await runner.onCatalog({ kind: 'create_shard_key', collection, key, nodes, recovery });
      }),
    counts: countNothing,
    clock,
    log: silentLog,
    importSnapshot: importHere,
  });
  const receive: ReceiveShard = async ({ wanted, atLeast, signal }) => {
    await options.beforeCopy?.(signal);
    const copy = await copyFrom(peers, {
      wanted,
      atLeast,
      signal,
      take: (path) => snapshots.receive(wanted.shard, { path, part: { shard: wanted.parent?.place ?? wanted.place }, signal }),
    });
    await options.afterCopy?.();
    return copy;
  };
  const replicator =
    log &&
    new Replicator({
      log,
      catalog,
      store: system,
      node: name,
      address: `http://${name}.test`,
      clock,
      logger: silentLog,
      observe: () => undefined,
      receive,
      source: options.peers && sourceOf(peers, snapshots),
      failed: (error) => failures.push(error),
    });
  indexer.start();
  await catalog.load();
  await replicator?.start();
  const base = engineReads(view);
  const random = seededRandom(1);
  peers.set(name, { replicator, base, snapshots });
  const isSharded = placement.length > 0;
  const caughtUp = async () => replicator?.caughtUp();
  const readsOf = (nodes: readonly string[]) => (nodes.includes(name) ? base : peers.get(nodes[0] ?? '')?.base) ?? base;
  const reads = isSharded ? shardedReads({ base, shardsOf: (collection) => shardsOf(view, readsOf, collection), caughtUp, random }) : base;
  const runner: OperationRunner = replicator ?? localRunner(catalog);
  const writes: OperationRunner = shardedWrites({
    runner,
    catalog,
    place: async (_, { sharding_method: method }) => (method === 'custom' ? [] : isSharded ? placement : undefined),
    caughtUp,
    retrieve: async (collection, ids, shardKey) => {
      // A node that is asked waits for what the one that asks has.
      for (const peer of peers.values()) await peer.replicator?.caughtUp();
      return reads.retrieve(collection, { ids, shard_key: shardKey ?? null });
    },
  });
  return {
    engine: {
      ...reads,
      ...engineWrites(isSharded ? writes : runner),
      ...maintenance(catalog),
      close: async () => {
        peers.delete(name);
        await snapshots.close();
        await replicator?.close();
        await view.close();
        await indexer.stop();
        await catalog.close();
        system.close();
      },
    },
    replicator,
    catalog,
    snapshots,
    folder,
    failures,
    dump: (collection) => dumpOf(catalog, collection),
  };
}

function shardsOf(view: CatalogView, readsOf: (nodes: readonly string[]) => EngineReads, collection: string) {
  const placed = view.placementOf(collection);
  if (placed === undefined) return undefined;
  return { ...placed, shards: placed.shards.map(({ name, nodes, place }) => ({ name, place, reads: readsOf(nodes) })) };
}

/** Any other node. */
function sourceOf(peers: ReadonlyMap<string, TestPeer>, own: Snapshots): FirstSource {
  const other = (): TestPeer => {
    const [first] = peers.values();
    if (first === undefined) throw new Error('no node can be asked');
    return first;
  };
  return {
    list: async (atLeast) => {
      const { replicator } = other();
      await replicator?.reached(atLeast);
      return (await replicator?.listing()) ?? Promise.reject(new Error('it has no log'));
    },
    receive: async (collection, part) => {
      const { draft, file } = await other().snapshots.pack(collection);
      try {
        return await own.receive(collection, { path: file, part, signal: new AbortController().signal });
      } finally {
        await draft[Symbol.asyncDispose]();
      }
    },
  };
}

type Copying = Pick<Parameters<ReceiveShard>[0], 'wanted' | 'atLeast' | 'signal'> & {
  readonly take: (path: string) => Promise<ReceivedCollection>;
};

async function copyFrom(peers: ReadonlyMap<string, TestPeer>, { wanted, atLeast, signal, take }: Copying): Promise<ReceivedCollection> {
  const holder = wanted.holders.map((node) => peers.get(node)).find((peer) => peer !== undefined);
  if (holder === undefined) throw new Error('no node that holds the shard can be asked');
  await holder.replicator?.reached(atLeast);
  signal.throwIfAborted();
  const { draft, file } = await holder.snapshots.pack(wanted.parent?.shard ?? wanted.shard);
  try {
    return await take(file);
  } finally {
    await draft[Symbol.asyncDispose]();
  }
}

const SPACES = 8;

function dumpOf(catalog: Catalog, collection: string): readonly string[] {
  const { directory } = catalog.source(collection);
  const storage = openCollectionReader({ directory });
  storage.refresh();
  try {
    const lines = storage.points({ fromRow: 0, limit: 1_000_000 }).map(({ row, point }) => {
      const dense = Array.from({ length: SPACES }, (_, space) => storage.vector(space, row)).map((vector) =>
        vector === undefined ? '-' : Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('hex'),
      );
      const sparse = Array.from({ length: SPACES }, (_, space) => storage.sparseVector(space, row)).map((vector) =>
        vector === undefined ? '-' : `${vector.indices.join()}:${vector.values.join()}`,
      );
      return `${point.id} v${point.version} ${point.payload} ${dense.join(' ')} ${sparse.join(' ')}`;
    });
    return [`sequence ${storage.sequence}`, `points ${storage.pointCount}`, ...lines.toSorted()];
  } finally {
    storage.close();
  }
}

/** As a node finds itself that was killed before it wrote down how far it was; `marks: false` loses what its collections know of it, too. */
export function rewind(directory: string, { marks }: { readonly marks: boolean }): void {
  const system = openSystemStorage({ directory: join(directory, 'system') });
  const { log } = system.get('replication') as { readonly log: string };
  system.put('replication', { log, applied: 0 });
  if (!marks) system.delete('applied');
  system.close();
  if (marks) return;
  const root = join(directory, 'collections');
  for (const name of readdirSync(root)) {
    const storage = openCollectionStorage({ directory: join(root, name) });
    storage.write((transaction) => transaction.putDocument('applied', undefined));
    storage.close();
  }
}

/** Directories and a log for a test, removed at its end. */
export function temporaryCluster(clock: Clock = systemClock) {
  const root = mkdtempSync(join(tmpdir(), 'sextant-replicas-'));
  const store = new MemoryLogStore(clock);
  const nodes: TestNode[] = [];
  return {
    store,
    peers: new Map<string, TestPeer>(),
    directory: (name: string) => join(root, name),
    log: () => new MemoryLog(store, clock),
    open: async (options: NodeOptions) => {
      const node = await openNode(options);
      nodes.push(node);
      return node;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { engine } of nodes) await engine.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
