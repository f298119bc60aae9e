// SPDX-License-Identifier: Apache-2.0
/**
 * Keeps the graphs of all collections up to date: links new rows, repairs around deleted ones, saves. It runs on a thread of its own in the
 * server, where linkers help it to link, and in the same thread in an engine without threads.
 */
import type { Clock } from '@sextant/foundation-std';
import { attachIndexer, type GraphSink, type ShardedSpaceReader, type SpaceIndexer } from '@sextant/vector-kernel';
import { type CatalogEvent, LinkedRows } from '../model/collection-handle.ts';
import type { Log } from '../model/log.ts';
import { codesWarning } from '../model/quantization.ts';
import { wantsGraph, wantsRepair } from './indexing-policy.ts';
import { joinedState, type MaintainedCollection, MaintainedGraphs, type MaintainedSpace, type ShardPlace } from './maintained-graphs.ts';
import { type GraphPlace, writeSavedGraph } from './saved-graph.ts';
import { linkSlice, repairSlice, type WorkState } from './work-loop.ts';

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

type IndexedCollection = MaintainedCollection<IndexedShard>;
type IndexedSpace = MaintainedSpace<IndexedShard>;

export type GraphIndexerOptions = {
  readonly log: Log;
  readonly clock: Clock;
  /** See `WorkLoop`. */
  readonly throttle?: () => void;
  /** Whether the service ends so soon that no graph can be saved any more. */
  readonly isHurried?: () => boolean;
};

export class GraphIndexer extends MaintainedGraphs<IndexedShard> {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #throttle: () => void;
  readonly #isHurried: () => boolean;
  /** Spaces of which the log has that the configured codes do not serve. */
  readonly #warned = new WeakSet<ShardedSpaceReader>();

  constructor({ log, clock, throttle = () => undefined, isHurried = () => false }: GraphIndexerOptions) {
    super({ clock, throttle });
    this.#log = log;
    this.#clock = clock;
    this.#throttle = throttle;
    this.#isHurried = isHurried;
  }

  override apply(event: CatalogEvent): void {
    if (event.kind === 'released') for (const { name } of event.collections) this.#saveLast(this.collection(name));
    super.apply(event);
  }

  protected override open(place: ShardPlace): IndexedShard {
    return openShard(place, this.#clock.monotonicMs());
  }

  protected override work(collection: IndexedCollection): WorkState {
    return this.#guarded(collection, () => this.#stepAll(collection));
  }

  /** Saves what changed, as far as there is time. */
  protected override beforeEnd(): void {
    for (const collection of this.collections) this.#saveLast(collection);
  }

  #saveLast(collection: IndexedCollection | undefined): void {
    if (collection === undefined) return;
    this.#guarded(collection, () => {
      for (const shard of shardsOf(collection)) {
        if (changesSinceSave(shard) > shard.indexer.indexedCount * SAVE_SHARE_AT_END) this.#save(collection, shard);
      }
      return 'idle';
    });
  }

  /** A graph that cannot be built is reported; the collection is still answered, by exact scans of what is not in it. */
  #guarded(collection: IndexedCollection, work: () => WorkState): WorkState {
    try {
      return work();
    } catch (error) {
      collection.gauges.indexerFailed = true;
      this.#log.error({ collection: collection.handle.name, err: error }, 'the graph could not be built');
      return 'idle';
    }
  }

  #stepAll(collection: IndexedCollection): WorkState {
    const state = joinedState(
      collection.spaces.flatMap((space) => {
        const isWanted = wantsGraph(collection.handle.config, space.schema.params, space.reader);
        const states = space.shards.map((shard) => this.#step(collection, shard, { isWanted }));
        this.#warnOfCodes(collection, space);
        return states;
      }),
    );
    if (state === 'idle' && collection.gauges.compaction === 'save') {
      const saved = shardsOf(collection).map((shard) => this.#save(collection, shard));
      if (saved.every((isSaved) => isSaved)) collection.gauges.compaction = 'repair';
    }
    return state;
  }

  #step(collection: IndexedCollection, shard: IndexedShard, { isWanted }: { isWanted: boolean }): WorkState {
    const { indexer, linked: counted } = shard;
    const { optimizer_config } = collection.handle.config;
    const linked = isWanted ? linkSlice(indexer, this.#throttle) : 0;
    counted.rows.add(counted.shard, linked);
    const isCompacted = collection.gauges.compaction !== 'none' && indexer.deletedCount > 0;
    shard.repairing ||= isCompacted || wantsRepair(optimizer_config, { share: indexer.deletedShare(), count: indexer.deletedCount });
    if (shard.repairing && repairSlice(indexer, this.#throttle)) {
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
    const { schema, reader } = space;
    const warning = codesWarning(handle.config, schema, reader);
    if (warning === undefined) {
      this.#warned.delete(reader);
      return;
    }
    if (!this.#warned.has(reader)) this.#log.warn({ collection: handle.name, vector: schema.name }, warning);
    this.#warned.add(reader);
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
      this.#log.warn({ collection: name, err: error }, 'the graph could not be saved; searches still use it, and saving is retried');
      shard.isSavePaused = true;
      const goOn = () => {
        shard.isSavePaused = false;
        this.written(name);
      };
      this.#clock.after(SAVE_PAUSE_MS, goOn).unref();
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
      writeSavedGraph(handle.directory, graph, (sink) => indexer.saveGraph(this.#throttled(sink), { sequence }));
    } catch (error) {
      if (!(error instanceof HurriedError)) throw error;
      this.#log.warn(
        { collection: handle.name },
        'the service stops before its graph is saved; the next start links the rows that the saved graph lacks',
      );
      return;
    }
    shard.savedAtMs = this.#clock.monotonicMs();
    shard.repairsSinceSave = 0;
    shard.rowsLinkedAtSave = rowsLinked;
    shard.rowsDeletedAtSave = rowsDeleted;
  }

  /** A large graph takes long to write, block by block. */
  #throttled(sink: GraphSink): GraphSink {
    return {
      write: (bytes, position) => {
        if (this.#isHurried()) throw new HurriedError('there is no time left to save a graph');
        sink.write(bytes, position);
        this.#throttle();
      },
    };
  }
}

/** Ends the saving of a graph before its end. */
class HurriedError extends Error {
  override readonly name = 'HurriedError';
}

function shardsOf({ spaces }: IndexedCollection): readonly IndexedShard[] {
  return spaces.flatMap(({ shards }) => shards);
}

function openShard({ handle, space, schema: { ordinal }, index }: ShardPlace, nowMs: number): IndexedShard {
  const linked = { rows: new LinkedRows(space.rowsLinked), shard: index };
  const indexer = attachIndexer(handle);
  return {
    graph: { ordinal, firstRow: index * space.space.rowsPerShard },
    linked,
    indexer,
    repairing: false,
    settling: false,
    repairsSinceSave: 0,
    rowsLinkedAtSave: linked.rows.of(index),
    rowsDeletedAtSave: indexer.deletedCount,
    savedAtMs: nowMs,
    busyAtMs: nowMs,
    isSavePaused: false,
  };
}

function rowsLinkedIn({ linked }: IndexedShard): number {
  return linked.rows.of(linked.shard);
}

function changesSinceSave(shard: IndexedShard): number {
  const rowsLinked = rowsLinkedIn(shard) - shard.rowsLinkedAtSave;
  return shard.repairsSinceSave + rowsLinked + Math.abs(shard.indexer.deletedCount - shard.rowsDeletedAtSave);
}
