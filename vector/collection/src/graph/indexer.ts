/**
 * Keeps the graphs of all collections up to date: links new rows, repairs around deleted ones, saves. It runs on a thread of its own in the
 * server, where linkers help it to link, and in the same thread in an engine without threads.
 */
import type { Clock } from '@sextant/foundation-std';
import { attachIndexer, type GraphSink, ShardedSpaceReader, type SpaceIndexer } from '@sextant/vector-kernel';
import { type CatalogEvent, CollectionGauges, type CollectionHandle, LinkedRows, type SpaceHandle } from '../model/collection-handle.ts';
import type { Log } from '../model/log.ts';
import { codesWarning } from '../model/quantization.ts';
import { type SpaceSchema, spacesOf } from '../model/vectors.ts';
import { wantsGraph, wantsRepair } from './indexing-policy.ts';
import { type GraphPlace, writeSavedGraph } from './saved-graph.ts';
import { linkSlice, repairSlice } from './slices.ts';
import { WorkLoop, type WorkState } from './work-loop.ts';

/** A graph is saved when this share of it has changed since it was last saved, and less when there is nothing else to do; what a crash loses is built again. */
const SAVE_SHARE = 0.25;
const SAVE_SHARE_SETTLED = 0.05;
const SAVE_ROWS_MIN = 1000;
/**
 * While rows come in, this is the least from one save to the next: a save holds everybody up who links, and what was linked in so short a time is
 * soon linked again. Measured: where it was saved in every lull, 20,000 rows of 100 dimensions wrote 120 MB, of which 28 are left.
 */
const SAVE_PAUSE_MS = 30_000;
/**
 * And at the end, where it costs least: a graph is written whole, which took 12 s for 550 MB on a busy machine, and to link a row again takes
 * about as long as to write fifty.
 */
const SAVE_SHARE_AT_END = 0.02;
/** After so long without work there is nothing else to do; between two writes of a client there is only a lull. */
const QUIET_MS = 1000;

type IndexedSpace = {
  readonly schema: SpaceSchema;
  readonly generation: number;
  readonly reader: ShardedSpaceReader;
  readonly shards: IndexedShard[];
  /** Whether the log has been told that the configured codes do not serve. */
  isWarned: boolean;
};

/** Each shard has a graph of its own. */
type IndexedShard = {
  readonly graph: GraphPlace;
  readonly linked: { readonly rows: LinkedRows; readonly shard: number };
  readonly indexer: SpaceIndexer;
  repairing: boolean;
  /** Whether the last look found work: rows that were just linked are settled by one look more. */
  settling: boolean;
  /** Repairs since the graph was saved, and how many rows had been linked and deleted by then. */
  repairsSinceSave: number;
  rowsLinkedAtSave: number;
  rowsDeletedAtSave: number;
  /** When it was saved last, or first seen; and when there was work last. */
  savedAtMs: number;
  busyAtMs: number;
  /** Set for a while after the disk has refused to take the graph. */
  isSavePaused: boolean;
};

type IndexedCollection = {
  handle: CollectionHandle;
  spaces: readonly IndexedSpace[];
  readonly gauges: CollectionGauges;
  awake: boolean;
};

export type GraphIndexerOptions = {
  readonly log: Log;
  readonly clock: Clock;
  /** See `WorkLoop`. */
  readonly breathe?: () => void;
  /** Whether the service ends so soon that no graph can be saved any more. */
  readonly isHurried?: () => boolean;
};

export class GraphIndexer {
  readonly #collections = new Map<string, IndexedCollection>();
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #breathe: () => void;
  readonly #isHurried: () => boolean;
  readonly #loop: WorkLoop;

  constructor({ log, clock, breathe = () => undefined, isHurried = () => false }: GraphIndexerOptions) {
    this.#log = log;
    this.#clock = clock;
    this.#breathe = breathe;
    this.#isHurried = isHurried;
    this.#loop = new WorkLoop(() => this.#slice(), breathe);
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
      case 'grown':
      case 'replaced':
      case 'withdrawing':
        this.#change(event.handle);
        break;
      case 'restored':
        this.#detach(event.handle.name);
        this.#attach(event.handle);
        break;
      case 'deleting':
        this.#detach(event.name);
        break;
      case 'deleted':
      case 'failed':
      case 'aliases':
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

  /** Stops after the running slice and saves what changed, as far as there is time. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    for (const collection of this.#collections.values()) {
      this.#guarded(collection, () => {
        for (const shard of shardsOf(collection)) {
          if (changesSinceSave(shard) > shard.indexer.indexedCount * SAVE_SHARE_AT_END) this.#save(collection, shard);
        }
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
      const isWanted = wantsGraph(collection.handle.config, space.schema.params, space.reader);
      for (const shard of space.shards) {
        const own = this.#step(collection, shard, { isWanted });
        if (own === 'busy' || state === 'idle') state = own;
      }
      this.#warnOfCodes(collection, space);
    }
    if (state === 'idle' && collection.gauges.compaction === 'save') {
      const saved = shardsOf(collection).map((shard) => this.#save(collection, shard));
      if (saved.every((isSaved) => isSaved)) collection.gauges.compaction = 'repair';
    }
    return state;
  }

  #step(collection: IndexedCollection, shard: IndexedShard, { isWanted }: { isWanted: boolean }): WorkState {
    const { indexer, linked: counted } = shard;
    const { optimizer_config } = collection.handle.config;
    const linked = isWanted ? linkSlice(indexer, this.#breathe) : 0;
    counted.rows.add(counted.shard, linked);
    const isCompacted = collection.gauges.compaction !== 'none' && indexer.deletedCount > 0;
    shard.repairing ||= isCompacted || wantsRepair(optimizer_config, { share: indexer.deletedShare(), count: indexer.deletedCount });
    if (shard.repairing && repairSlice(indexer, this.#breathe)) {
      shard.repairing = false;
      shard.repairsSinceSave++;
    }
    indexer.reclaim();
    const isBusy = linked > 0 || shard.repairing || (isWanted && indexer.isCalibrating);
    // The last rows may be in the hands of linkers.
    const isUnfinished = isWanted && indexer.pendingCount > 0;
    const isSavingLater = this.#saveInTime(collection, shard, { isBusy: isBusy || isUnfinished });
    const isWaiting = shard.settling || isUnfinished || isSavingLater;
    const isWorking = isBusy || isUnfinished;
    if (isWorking && !shard.settling) counted.rows.beginRun(counted.shard, this.#clock.nowMs());
    if (!isWorking && shard.settling) counted.rows.endRun(counted.shard, this.#clock.nowMs());
    shard.settling = isWorking;
    return isBusy ? 'busy' : isWaiting ? 'waiting' : 'idle';
  }

  /** Saves the graph where enough has changed; true where it is to be saved once it is quiet. */
  #saveInTime(collection: IndexedCollection, shard: IndexedShard, { isBusy }: { isBusy: boolean }): boolean {
    const nowMs = this.#clock.monotonicMs();
    if (isBusy) shard.busyAtMs = nowMs;
    const share = isBusy ? SAVE_SHARE : SAVE_SHARE_SETTLED;
    if (changesSinceSave(shard) <= Math.max(SAVE_ROWS_MIN, shard.indexer.indexedCount * share)) return false;
    const mayWait = collection.gauges.compaction === 'none';
    if (mayWait && nowMs - shard.savedAtMs < SAVE_PAUSE_MS && nowMs - shard.busyAtMs < QUIET_MS) return true;
    this.#save(collection, shard);
    return false;
  }

  #warnOfCodes({ handle }: IndexedCollection, space: IndexedSpace): void {
    const warning = codesWarning(handle.config, space.schema, space.reader);
    if (warning !== undefined && !space.isWarned) this.#log.warn({ collection: handle.name, vector: space.schema.name }, warning);
    space.isWarned = warning !== undefined;
  }

  /** A graph that the disk does not take is saved later: what is lost by that is the time to build it again. */
  #save(collection: IndexedCollection, shard: IndexedShard): boolean {
    if (shard.isSavePaused) return false;
    try {
      this.#write(collection, shard);
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      const { name } = collection.handle;
      this.#log.warn({ collection: name, err: error }, 'graph could not be saved; it is searched all the same, and saving is tried again');
      shard.isSavePaused = true;
      const goOn = () => {
        shard.isSavePaused = false;
        this.written(name);
      };
      setTimeout(goOn, SAVE_PAUSE_MS).unref();
      return false;
    }
  }

  #write({ gauges, handle }: IndexedCollection, shard: IndexedShard): void {
    const { indexer, graph } = shard;
    // Read first: what happens in between is saved once more.
    const sequence = gauges.memorySequence;
    const rowsLinked = rowsLinkedIn(shard);
    const rowsDeleted = indexer.deletedCount;
    try {
      writeSavedGraph(handle.directory, graph, (sink) => indexer.saveGraph(this.#breathing(sink), { sequence }));
    } catch (error) {
      if (!(error instanceof HurriedError)) throw error;
      this.#log.warn(
        { collection: handle.name },
        'the service ends before its graph is saved; the next start links again what the saved one lacks',
      );
      return;
    }
    shard.savedAtMs = this.#clock.monotonicMs();
    shard.repairsSinceSave = 0;
    shard.rowsLinkedAtSave = rowsLinked;
    shard.rowsDeletedAtSave = rowsDeleted;
  }

  /** A large graph takes long to write, block by block. */
  #breathing(sink: GraphSink): GraphSink {
    return {
      write: (bytes, position) => {
        if (this.#isHurried()) throw new HurriedError('there is no time to save a graph');
        sink.write(bytes, position);
        this.#breathe();
      },
    };
  }

  #attach(handle: CollectionHandle): void {
    const gauges = new CollectionGauges(handle.gauges);
    this.#collections.set(handle.name, {
      handle,
      spaces: attachSpaces(handle, { known: [], nowMs: this.#clock.monotonicMs() }),
      gauges,
      awake: true,
    });
    this.#loop.wake();
  }

  #change(handle: CollectionHandle): void {
    const known = this.#collections.get(handle.name);
    if (known === undefined) return;
    known.handle = handle;
    known.spaces = attachSpaces(handle, { known: known.spaces, nowMs: this.#clock.monotonicMs() });
    this.written(handle.name);
  }

  #detach(name: string): void {
    for (const space of this.#collections.get(name)?.spaces ?? []) space.reader.detach();
    this.#collections.delete(name);
  }
}

/** Ends the saving of a graph before its end. */
class HurriedError extends Error {
  override readonly name = 'HurriedError';
}

function shardsOf({ spaces }: IndexedCollection): readonly IndexedShard[] {
  return spaces.flatMap(({ shards }) => shards);
}

/** Goes on with the spaces that are known, with the shards that they have more, and lets go of those that are no more. */
function attachSpaces(
  handle: CollectionHandle,
  { known, nowMs }: { readonly known: readonly IndexedSpace[]; readonly nowMs: number },
): IndexedSpace[] {
  const isSame = ({ schema, generation }: IndexedSpace) => handle.spaces.get(schema.ordinal)?.generation === generation;
  for (const { reader } of known.filter((space) => !isSame(space))) reader.detach();
  const kept = new Map(known.filter(isSame).map((indexed) => [indexed.schema.ordinal, indexed]));
  return spacesOf(handle.config).flatMap((schema) => {
    const space = handle.spaces.get(schema.ordinal);
    if (space === undefined) return [];
    const { reader, shards, isWarned } = kept.get(schema.ordinal) ?? {
      reader: new ShardedSpaceReader(space.space),
      shards: [],
      isWarned: false,
    };
    reader.attachMissing(space.space);
    attachMissing(shards, { space, schema, nowMs });
    return [{ schema, generation: space.generation, reader, shards, isWarned }];
  });
}

function attachMissing(
  shards: IndexedShard[],
  {
    space: { space, rowsLinked },
    schema: { ordinal },
    nowMs,
  }: { readonly space: SpaceHandle; readonly schema: SpaceSchema; readonly nowMs: number },
): void {
  for (const handle of space.shards.slice(shards.length)) {
    const linked = { rows: new LinkedRows(rowsLinked), shard: shards.length };
    const graph = { ordinal, firstRow: shards.length * space.rowsPerShard };
    const indexer = attachIndexer(handle);
    const saved = { repairsSinceSave: 0, rowsLinkedAtSave: linked.rows.of(linked.shard), rowsDeletedAtSave: indexer.deletedCount };
    shards.push({
      graph,
      linked,
      indexer,
      repairing: false,
      settling: false,
      savedAtMs: nowMs,
      busyAtMs: nowMs,
      isSavePaused: false,
      ...saved,
    });
  }
}

function rowsLinkedIn({ linked }: IndexedShard): number {
  return linked.rows.of(linked.shard);
}

function changesSinceSave(shard: IndexedShard): number {
  const rowsLinked = rowsLinkedIn(shard) - shard.rowsLinkedAtSave;
  return shard.repairsSinceSave + rowsLinked + Math.abs(shard.indexer.deletedCount - shard.rowsDeletedAtSave);
}
