/**
 * Keeps the graphs of all collections up to date: links new rows, repairs around deleted ones, saves. It is the only one that
 * changes links, on a thread of its own in the server, in the same thread in an engine without threads. Work comes in small slices,
 * so that events are heard between them.
 */
import { attachIndexer, attachReader, type SpaceIndexer, type SpaceReader } from '@sextant/vector-kernel';
import { type CatalogEvent, CollectionGauges, type CollectionHandle } from './collection-handle.ts';
import { wantsGraph, wantsRepair } from './indexing-policy.ts';
import type { Log } from './log.ts';
import { writeSavedGraph } from './saved-graph.ts';
import { type SpaceSchema, spacesOf } from './vectors.ts';

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
  changesSinceSave: number;
};

type IndexedCollection = { handle: CollectionHandle; readonly spaces: IndexedSpace[]; readonly gauges: CollectionGauges; awake: boolean };

export class GraphIndexer {
  readonly #collections = new Map<string, IndexedCollection>();
  readonly #log: Log;
  #wake: (() => void) | undefined;
  #stopping = false;
  #running: Promise<void> | undefined;

  constructor({ log }: { log: Log }) {
    this.#log = log;
  }

  start(): void {
    this.#running = this.#run();
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
    this.#wake?.();
  }

  /** Stops after the running slice and saves what changed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    await this.#running;
    for (const collection of this.#collections.values()) {
      this.#guarded(collection, () => {
        for (const space of collection.spaces) if (space.changesSinceSave > 0) this.#save(collection, space);
        return false;
      });
      for (const space of collection.spaces) space.reader.detach();
    }
    this.#collections.clear();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      let busy = false;
      for (const collection of this.#collections.values()) {
        if (!collection.awake) continue;
        collection.awake = this.#guarded(collection, () => this.#slice(collection));
        busy ||= collection.awake;
      }
      if (busy) await new Promise<void>((resolve) => setImmediate(resolve));
      else await this.#sleep();
    }
  }

  async #sleep(): Promise<void> {
    if (this.#stopping || [...this.#collections.values()].some(({ awake }) => awake)) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  /** A graph that cannot be built is reported; the collection is still answered, by exact scans of what is not in it. */
  #guarded(collection: IndexedCollection, work: () => boolean): boolean {
    try {
      return work();
    } catch (error) {
      collection.gauges.indexerFailed = true;
      this.#log.error({ collection: collection.handle.name, err: error }, 'graph could not be built');
      return false;
    }
  }

  /** One slice of one collection; true while there is more to do. */
  #slice(collection: IndexedCollection): boolean {
    let busy = false;
    for (const space of collection.spaces) {
      if (this.#step(collection, space)) busy = true;
    }
    return busy;
  }

  #step(collection: IndexedCollection, space: IndexedSpace): boolean {
    const { indexer, reader, schema } = space;
    const { config } = collection.handle;
    const linked = wantsGraph(config, schema.params, reader) ? indexer.link(ROWS_PER_SLICE) : 0;
    space.changesSinceSave += linked;
    space.repairing ||= wantsRepair(config.optimizer_config, { share: indexer.deletedShare(), count: indexer.deletedCount });
    if (space.repairing && indexer.repair(REPAIRS_PER_SLICE)) {
      space.repairing = false;
      space.changesSinceSave++;
    }
    indexer.reclaim();
    const grown = space.changesSinceSave > Math.max(SAVE_ROWS_MIN, reader.indexedCount * SAVE_GROWTH);
    if (grown) this.#save(collection, space);
    return linked > 0 || space.repairing;
  }

  #save(collection: IndexedCollection, space: IndexedSpace): void {
    writeSavedGraph(collection.handle.directory, space.schema.ordinal, space.indexer.saveGraph());
    space.changesSinceSave = 0;
  }

  #attach(handle: CollectionHandle): void {
    const spaces = spacesOf(handle.config).flatMap((schema) => {
      const space = handle.spaces[schema.ordinal];
      if (space === undefined) return [];
      return [{ schema, indexer: attachIndexer(space), reader: attachReader(space), repairing: false, changesSinceSave: 0 }];
    });
    this.#collections.set(handle.name, { handle, spaces, gauges: new CollectionGauges(handle.gauges), awake: true });
    this.#wake?.();
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
