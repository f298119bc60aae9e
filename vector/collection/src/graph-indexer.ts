/**
 * Keeps the graphs of all collections up to date: links new rows, repairs around deleted ones, saves. It runs on a thread of its own in the
 * server, where linkers help it to link, and in the same thread in an engine without threads.
 */
import { attachIndexer, attachReader, type SpaceIndexer, type SpaceReader } from '@sextant/vector-kernel';
import { type CatalogEvent, CollectionGauges, type CollectionHandle } from './collection-handle.ts';
import { wantsGraph, wantsRepair } from './indexing-policy.ts';
import type { Log } from './log.ts';
import { writeSavedGraph } from './saved-graph.ts';
import { type SpaceSchema, spacesOf } from './vectors.ts';
import { WorkLoop, type WorkState } from './work-loop.ts';

const ROWS_PER_SLICE = 16;
const REPAIRS_PER_SLICE = 128;
/** A graph is saved when it has grown by this share since it was last saved; what a crash loses is built again. */
const SAVE_GROWTH = 0.25;
const SAVE_ROWS_MIN = 1000;

type IndexedSpace = {
  readonly schema: SpaceSchema;
  readonly indexer: SpaceIndexer;
  readonly reader: SpaceReader;
  repairing: boolean;
  /** Whether the last look found work: rows that were just linked are settled by one look more. */
  settling: boolean;
  /** Repairs since the graph was saved, and how many rows had been linked by then. */
  repairsSinceSave: number;
  rowsLinkedAtSave: number;
};

type IndexedCollection = { handle: CollectionHandle; readonly spaces: IndexedSpace[]; readonly gauges: CollectionGauges; awake: boolean };

export class GraphIndexer {
  readonly #collections = new Map<string, IndexedCollection>();
  readonly #log: Log;
  readonly #loop = new WorkLoop(() => this.#slice());

  constructor({ log }: { log: Log }) {
    this.#log = log;
  }

  start(): void {
    this.#loop.start();
  }

  apply(event: CatalogEvent): void {
    switch (event.kind) {
      case 'opened':
        this.#attach(event.handle);
        break;
      case 'changed':
      case 'withdrawing':
        this.#change(event.handle);
        break;
      case 'deleting':
        this.#detach(event.name);
        break;
      case 'deleted':
      case 'failed':
        break;
    }
  }

  /** The collection may have rows to link or to give back. */
  written(name: string): void {
    const collection = this.#collections.get(name);
    if (collection === undefined) return;
    collection.awake = true;
    this.#loop.wake();
  }

  /** Stops after the running slice and saves what changed. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    for (const collection of this.#collections.values()) {
      this.#guarded(collection, () => {
        for (const space of collection.spaces) if (changesSinceSave(collection, space) > 0) this.#save(collection, space);
        return 'idle';
      });
      for (const space of collection.spaces) space.reader.detach();
    }
    this.#collections.clear();
  }

  #slice(): WorkState {
    let state: WorkState = 'idle';
    for (const collection of this.#collections.values()) {
      if (!collection.awake) continue;
      const own = this.#guarded(collection, () => this.#stepAll(collection));
      collection.awake = own !== 'idle';
      if (own === 'busy' || state === 'idle') state = own;
    }
    return state;
  }

  /** A graph that cannot be built is reported; the collection is still answered, by exact scans of what is not in it. */
  #guarded(collection: IndexedCollection, work: () => WorkState): WorkState {
    try {
      return work();
    } catch (error) {
      collection.gauges.indexerFailed = true;
      this.#log.error({ collection: collection.handle.name, err: error }, 'graph could not be built');
      return 'idle';
    }
  }

  #stepAll(collection: IndexedCollection): WorkState {
    let state: WorkState = 'idle';
    for (const space of collection.spaces) {
      const own = this.#step(collection, space);
      if (own === 'busy' || state === 'idle') state = own;
    }
    return state;
  }

  #step(collection: IndexedCollection, space: IndexedSpace): WorkState {
    const { indexer, reader, schema } = space;
    const { config } = collection.handle;
    const isWanted = wantsGraph(config, schema.params, reader);
    const linked = isWanted ? indexer.link(ROWS_PER_SLICE) : 0;
    collection.gauges.addRowsLinked(schema.ordinal, linked);
    space.repairing ||= wantsRepair(config.optimizer_config, { share: indexer.deletedShare(), count: indexer.deletedCount });
    if (space.repairing && indexer.repair(REPAIRS_PER_SLICE)) {
      space.repairing = false;
      space.repairsSinceSave++;
    }
    indexer.reclaim();
    if (changesSinceSave(collection, space) > Math.max(SAVE_ROWS_MIN, reader.indexedCount * SAVE_GROWTH)) this.#save(collection, space);
    const isBusy = linked > 0 || space.repairing;
    // The last rows may be in the hands of linkers.
    const isWaiting = space.settling || (isWanted && reader.pendingCount > 0);
    space.settling = isBusy || (isWanted && reader.pendingCount > 0);
    return isBusy ? 'busy' : isWaiting ? 'waiting' : 'idle';
  }

  #save(collection: IndexedCollection, space: IndexedSpace): void {
    // Read first: rows that are linked in between are saved once more.
    const rowsLinked = collection.gauges.rowsLinked(space.schema.ordinal);
    writeSavedGraph(collection.handle.directory, space.schema.ordinal, space.indexer.saveGraph());
    space.repairsSinceSave = 0;
    space.rowsLinkedAtSave = rowsLinked;
  }

  #attach(handle: CollectionHandle): void {
    const gauges = new CollectionGauges(handle.gauges);
    const spaces = spacesOf(handle.config).flatMap((schema): IndexedSpace[] => {
      const space = handle.spaces[schema.ordinal];
      if (space === undefined) return [];
      const rowsLinkedAtSave = gauges.rowsLinked(schema.ordinal);
      const access = { indexer: attachIndexer(space), reader: attachReader(space) };
      return [{ schema, ...access, repairing: false, settling: false, repairsSinceSave: 0, rowsLinkedAtSave }];
    });
    this.#collections.set(handle.name, { handle, spaces, gauges, awake: true });
    this.#loop.wake();
  }

  #change(handle: CollectionHandle): void {
    const known = this.#collections.get(handle.name);
    if (known === undefined) return;
    if (known.handle.spacesGeneration === handle.spacesGeneration) {
      known.handle = handle;
      this.written(handle.name);
      return;
    }
    this.#detach(handle.name);
    this.#attach(handle);
  }

  #detach(name: string): void {
    for (const space of this.#collections.get(name)?.spaces ?? []) space.reader.detach();
    this.#collections.delete(name);
  }
}

function changesSinceSave({ gauges }: IndexedCollection, space: IndexedSpace): number {
  return space.repairsSinceSave + gauges.rowsLinked(space.schema.ordinal) - space.rowsLinkedAtSave;
}
