// SPDX-License-Identifier: Apache-2.0
/** What one thread announces to another about a collection: everything needed to read it, nothing copied but the configuration. */
import { SHARDS_MAX, type ShardedSpaceHandle } from '@sextant/vector-kernel';
import type { FieldIndex } from '../field-index/schema.ts';
import type { ClosedCollection } from './closed-collection.ts';
import type { CollectionConfig } from './collection-config.ts';

export type CollectionHandle = {
  readonly name: string;
  /** Directory of its storage and its saved graphs. */
  readonly directory: string;
  readonly config: CollectionConfig;
  readonly fieldIndexes: readonly FieldIndex[];
  /** By the space's ordinal. */
  readonly spaces: ReadonlyMap<number, SpaceHandle>;
  /** Shared counters; see `CollectionGauges`. */
  readonly gauges: SharedArrayBuffer;
  /** See `ChangedRows`. */
  readonly changedRows: SharedArrayBuffer;
};

export type SpaceHandle = {
  /** No two spaces of a collection have the same. A later handle of one generation has the same shards, and perhaps more. */
  readonly generation: number;
  readonly space: ShardedSpaceHandle;
  /** See `LinkedRows`. */
  readonly rowsLinked: SharedArrayBuffer;
};

const WRITES_WAITING = 0;
const INDEXER_FAILED = 1;
const MEMORY_SEQUENCE = 2;
const MEMORY_FOLLOWING = 3;
const COMPACTION = 4;
const READ_RATE = 5;
const WRITE_RATE = 6;
const OPTIMIZING = 7;
const REBUILDING = 8;
const ROWS_REBUILT = 9;
const GRAPH_WORK = 10;
const READS_RUNNING = 11;
const LAST_USED_MS = 12;
const GAUGES = 13;

/** What a collection that is made small waits for: nothing, that no deleted row is in its graphs, and that they are saved then. */
export type CompactionStage = 'none' | 'repair' | 'save';
const COMPACTION_STAGES: readonly CompactionStage[] = ['none', 'repair', 'save'];

/** Counters that the writer, the indexer and the linkers keep for all threads. */
export class CollectionGauges {
  readonly #words: BigInt64Array;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new BigInt64Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(GAUGES * BigInt64Array.BYTES_PER_ELEMENT);
  }

  /** See `RateLimits`. */
  get rates(): BigInt64Array {
    return this.#words.subarray(READ_RATE, WRITE_RATE + 1);
  }

  get writesWaiting(): number {
    return Number(Atomics.load(this.#words, WRITES_WAITING));
  }

  addWritesWaiting(count: number): void {
    Atomics.add(this.#words, WRITES_WAITING, BigInt(count));
  }

  /** Of all threads. */
  get readsRunning(): number {
    return Number(Atomics.load(this.#words, READS_RUNNING));
  }

  addReadsRunning(count: 1 | -1): void {
    Atomics.add(this.#words, READS_RUNNING, BigInt(count));
  }

  /** When a thread last began to read it or to write to it. */
  get lastUsedMs(): number {
    return Number(Atomics.load(this.#words, LAST_USED_MS));
  }

  set lastUsedMs(nowMs: number) {
    Atomics.store(this.#words, LAST_USED_MS, BigInt(nowMs));
  }

  get indexerFailed(): boolean {
    return Atomics.load(this.#words, INDEXER_FAILED) === 1n;
  }

  set indexerFailed(failed: boolean) {
    Atomics.store(this.#words, INDEXER_FAILED, failed ? 1n : 0n);
  }

  /** How often threads have worked on the graphs, or have ended the wait for them. */
  get graphWork(): bigint {
    return Atomics.load(this.#words, GRAPH_WORK);
  }

  noteGraphWork(): void {
    Atomics.add(this.#words, GRAPH_WORK, 1n);
    Atomics.notify(this.#words, GRAPH_WORK);
  }

  /** Resolves at the first `noteGraphWork` since `graphWork` was read; the thread is free until then. */
  async graphWorkSince(seen: bigint): Promise<void> {
    await Atomics.waitAsync(this.#words, GRAPH_WORK, seen).value;
  }

  get compaction(): CompactionStage {
    return COMPACTION_STAGES[Number(Atomics.load(this.#words, COMPACTION))] ?? 'none';
  }

  set compaction(stage: CompactionStage) {
    Atomics.store(this.#words, COMPACTION, BigInt(COMPACTION_STAGES.indexOf(stage)));
  }

  /** Whether somebody has asked for the graphs to be put in order, and that goes on. */
  get optimizing(): boolean {
    return Atomics.load(this.#words, OPTIMIZING) === 1n;
  }

  set optimizing(isRunning: boolean) {
    Atomics.store(this.#words, OPTIMIZING, isRunning ? 1n : 0n);
  }

  /** Whether graphs are rebuilt beside those in use, and how many rows the new ones have, of all vectors together. */
  get rebuilding(): { readonly rows: number } | undefined {
    return Atomics.load(this.#words, REBUILDING) === 1n ? { rows: Number(Atomics.load(this.#words, ROWS_REBUILT)) } : undefined;
  }

  set rebuilding(progress: { readonly rows: number } | undefined) {
    Atomics.store(this.#words, ROWS_REBUILT, BigInt(progress?.rows ?? 0));
    Atomics.store(this.#words, REBUILDING, progress === undefined ? 0n : 1n);
  }

  /** The last operation whose vectors the writer has put into memory, or begun to: ahead of `memorySequence` while it does. */
  get memoryFollowing(): number {
    return Number(Atomics.load(this.#words, MEMORY_FOLLOWING));
  }

  set memoryFollowing(sequence: number) {
    Atomics.store(this.#words, MEMORY_FOLLOWING, BigInt(sequence));
  }

  /** The last operation whose vectors are in memory; it follows the storage's sequence. */
  get memorySequence(): number {
    return Number(Atomics.load(this.#words, MEMORY_SEQUENCE));
  }

  set memorySequence(sequence: number) {
    Atomics.store(this.#words, MEMORY_SEQUENCE, BigInt(sequence));
    Atomics.notify(this.#words, MEMORY_SEQUENCE);
  }

  /** Resolves when the memory has followed an operation that is in storage; the thread is free until then. */
  async memoryReaches(sequence: number): Promise<void> {
    for (let seen = Atomics.load(this.#words, MEMORY_SEQUENCE); seen < sequence; seen = Atomics.load(this.#words, MEMORY_SEQUENCE)) {
      await Atomics.waitAsync(this.#words, MEMORY_SEQUENCE, seen).value;
    }
  }
}

/** One run of the indexer over the graph of a shard, from the first row that waited until none did. */
export type IndexingRun = { readonly startedMs: number; readonly finishedMs: number; readonly rowsLinked: number };

const ROWS = 0;
const STARTED_MS = 1;
const ROWS_AT_LAST_END = 2;
const LAST_STARTED_MS = 3;
const LAST_FINISHED_MS = 4;
const LAST_ROWS = 5;
const LINKED_WORDS = 6;

/** How many rows were linked into the graph of each shard of a space, by all threads, since the space was made, and when the indexer last had work there. */
export class LinkedRows {
  readonly #words: BigInt64Array;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new BigInt64Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(SHARDS_MAX * LINKED_WORDS * BigInt64Array.BYTES_PER_ELEMENT);
  }

  of(shard: number): number {
    return this.#load(shard, ROWS);
  }

  add(shard: number, count: number): void {
    if (count > 0) Atomics.add(this.#words, shard * LINKED_WORDS + ROWS, BigInt(count));
  }

  /** The indexer alone begins and ends runs. */
  beginRun(shard: number, nowMs: number): void {
    this.#store(shard, STARTED_MS, nowMs);
  }

  endRun(shard: number, nowMs: number): void {
    const rows = this.of(shard);
    this.#store(shard, LAST_ROWS, rows - this.#load(shard, ROWS_AT_LAST_END));
    this.#store(shard, ROWS_AT_LAST_END, rows);
    this.#store(shard, LAST_STARTED_MS, this.#load(shard, STARTED_MS));
    this.#store(shard, LAST_FINISHED_MS, nowMs);
    this.#store(shard, STARTED_MS, 0);
  }

  /** When the run that goes on began. */
  runningSinceMs(shard: number): number | undefined {
    const startedMs = this.#load(shard, STARTED_MS);
    return startedMs === 0 ? undefined : startedMs;
  }

  /** The last run that ended since the service started. */
  lastRun(shard: number): IndexingRun | undefined {
    const finishedMs = this.#load(shard, LAST_FINISHED_MS);
    if (finishedMs === 0) return undefined;
    return { startedMs: this.#load(shard, LAST_STARTED_MS), finishedMs, rowsLinked: this.#load(shard, LAST_ROWS) };
  }

  #load(shard: number, word: number): number {
    return Number(Atomics.load(this.#words, shard * LINKED_WORDS + word));
  }

  #store(shard: number, word: number, value: number): void {
    Atomics.store(this.#words, shard * LINKED_WORDS + word, BigInt(value));
  }
}

/** What happens to collections, in the order in which it happens; the writer thread announces it to every other thread. */
export type CatalogEvent =
  | { readonly kind: 'opened'; readonly handle: CollectionHandle }
  | { readonly kind: 'changed'; readonly handle: CollectionHandle }
  /** Spaces of it were rebuilt or removed; readers that still use the former ones end before they confirm. */
  | { readonly kind: 'replaced'; readonly handle: CollectionHandle }
  /** Spaces have new shards, which rows are put into once every thread has them: no search, running ones included, may miss such a row. */
  | { readonly kind: 'grown'; readonly handle: CollectionHandle }
  /** Something of the collection, such as a field index, is about to go; readers that still use it end before they confirm. */
  | { readonly kind: 'withdrawing'; readonly handle: CollectionHandle }
  /** Another collection has taken its name and its place; readers that still use the former one end before they confirm. */
  | { readonly kind: 'restored'; readonly handle: CollectionHandle }
  /** The collection is not to be touched any more; readers close it before they confirm. */
  | { readonly kind: 'deleting'; readonly name: string }
  | { readonly kind: 'deleted'; readonly name: string }
  /** All aliases that there are from now on, each with its collection. */
  | { readonly kind: 'aliases'; readonly aliases: ReadonlyMap<string, string> }
  /** All collections that are being made from snapshots from now on, by name: they are not whole. */
  | { readonly kind: 'recoveries'; readonly collections: ReadonlySet<string> }
  /** Their files are closed, and their memory goes; readers close them before they confirm. They are opened when they are asked for. */
  | { readonly kind: 'released'; readonly collections: readonly ClosedCollection[] }
  /** The collection could not be opened; `reason` is for its users. */
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string };

const AWAITED: ReadonlySet<CatalogEvent['kind']> = new Set([
  'grown',
  'deleting',
  'withdrawing',
  'replaced',
  'restored',
  'released',
] as const);

/** Whether the writer waits until every thread has dealt with the event; everything else is known before a thread's next read. */
export function isAwaited({ kind }: CatalogEvent): boolean {
  return AWAITED.has(kind);
}
