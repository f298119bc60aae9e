// SPDX-License-Identifier: Apache-2.0
/** Nodes over one log in memory, each with storage of its own, for tests. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, seededRandom, systemClock } from '@sextant/foundation-std';
import {
  Catalog,
  CatalogView,
  type Engine,
  type EngineReads,
  engineReads,
  engineWrites,
  GraphIndexer,
  isAwaited,
  localRunner,
  maintenance,
  type OperationRunner,
  shardedReads,
  shardName,
  silentLog,
} from '@sextant/vector-collection';
import { MemoryLog, MemoryLogStore, type OperationLog } from '@sextant/vector-log';
import { openCollectionReader, openCollectionStorage, openSystemStorage } from '@sextant/vector-storage';
import { Replicator } from './replicator.ts';
import { shardedWrites } from './sharded-writes.ts';

type NodeEngine = Omit<Engine, 'listSnapshots' | 'snapshotFile' | 'createSnapshot' | 'deleteSnapshot' | 'recover'>;

export type TestNode = {
  readonly engine: NodeEngine;
  readonly replicator: Replicator | undefined;
  readonly catalog: Catalog;
  /** Everything that is on disk of a collection's points: by id, with versions, payloads and the bytes of the vectors. */
  dump(collection: string): readonly string[];
  readonly failures: readonly Error[];
};

export type NodeOptions = {
  readonly directory: string;
  /** Without one the node stands alone. */
  readonly log?: OperationLog | undefined;
  readonly name?: string;
  readonly clock?: Clock;
  readonly vectorMemoryBytes?: number;
  /** New collections are in so many shards, all of them on this node. */
  readonly shards?: number;
};

export async function openNode(options: NodeOptions): Promise<TestNode> {
  const { directory, log, name = 'a', clock = systemClock, vectorMemoryBytes, shards } = options;
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
      : { moves: (collection, token) => replicator?.onCollection({ kind: 'move_points', collection, token }) ?? Promise.resolve() }),
  });
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
      failed: (error) => failures.push(error),
    });
  indexer.start();
  await catalog.load();
  await replicator?.start();
  const base = engineReads(view);
  const random = seededRandom(1);
  const reads = shards === undefined ? base : shardedReads({ base, shardsOf: (collection) => localShards(view, base, collection), random });
  const runner: OperationRunner = replicator ?? localRunner(catalog);
  const writes = shardedWrites({
    runner,
    catalog,
    place: async () => Array.from({ length: shards ?? 0 }, () => [name]),
    retrieve: async (collection, ids) => {
      await replicator?.caughtUp();
      return reads.retrieve(collection, { ids });
    },
  });
  return {
    engine: {
      ...reads,
      ...engineWrites(shards === undefined ? runner : writes),
      ...maintenance(catalog),
      close: async () => {
        await replicator?.close();
        await view.close();
        await indexer.stop();
        await catalog.close();
        system.close();
      },
    },
    replicator,
    catalog,
    failures,
    dump: (collection) => dumpOf(catalog, collection),
  };
}

function localShards(view: CatalogView, reads: EngineReads, collection: string) {
  const placed = view.placementOf(collection);
  return placed && { ...placed, shards: placed.placement.map((_, index) => ({ name: shardName(placed.name, index), reads })) };
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
