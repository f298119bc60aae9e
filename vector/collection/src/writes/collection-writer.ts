// SPDX-License-Identifier: Apache-2.0
/** The write side of one collection: the only place where its storage changes, and with it its memory. */
import { ServiceError, type UpdateCollection, type UpdateResult, type VectorNameConfig } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import type { StorageTransaction } from '@sextant/vector-storage';
import { ChangedRows } from '../model/changed-rows.ts';
import { type CollectionConfig, updatedConfig } from '../model/collection-config.ts';
import { CONFIG, INPUT_NORMS } from '../model/collection-documents.ts';
import { CollectionGauges, type CollectionHandle } from '../model/collection-handle.ts';
import { asError, namedDamage } from '../model/damage.ts';
import { type InputNorm, type InputNorms, inputNormsIn, ofVectors, withInputNorms } from '../model/input-norms.ts';
import { collectionOfShard, type Ownership, ownershipOf, type ShardPlace } from '../model/shards.ts';
import { type VectorSchemas, vectorSchemasOf } from '../model/vectors.ts';
import type { LogMark } from '../model/write-operation.ts';
import { CodeRenewal } from './code-renewal.ts';
import { CollectionMemory, ShardsMissingError } from './collection-memory.ts';
import type { CollectionWork } from './collection-work.ts';
import type { CollectionWriterOptions } from './collection-writer-options.ts';
import { Compaction } from './compaction.ts';
import { FieldIndexes } from './field-indexes.ts';
import { FollowedLog } from './followed-log.ts';
import { GraphBacklog } from './graph-backlog.ts';
import { JobQueue } from './job-queue.ts';
import { type MemoryChanges, PointChanges, type RunningTransaction } from './point-changes.ts';
import { moveJob, type PointJob } from './point-jobs.ts';
import { PointMoves } from './point-moves.ts';
import { divideShard } from './shard-division.ts';
import { Upkeep } from './upkeep.ts';
import { VectorNames } from './vector-names.ts';
import { type QueuedWrite, type WriteOrigin, WriteQueue } from './write-queue.ts';

export class CollectionWriter {
  readonly #options: CollectionWriterOptions;
  readonly #queue = new WriteQueue((group) => this.#commit(group));
  readonly #shared: SharedArrayBuffer;
  readonly #gauges: CollectionGauges;
  readonly #sharedChanges: SharedArrayBuffer;
  readonly #changedRows: ChangedRows;
  #config: CollectionConfig;
  #schemas: VectorSchemas;
  #ownership: Ownership;
  #inputNorms: InputNorms;
  readonly #memory: CollectionMemory;
  /** The transaction that runs, and the memory changes that wait for its commit. */
  #running: RunningTransaction | undefined;
  readonly #compaction: Compaction;
  readonly #codeRenewal: CodeRenewal;
  /** Rows that wait for their graph. */
  readonly backlog: GraphBacklog;
  /** What operators ask for, beside the writes. */
  readonly upkeep: Upkeep;
  readonly #vectorNames: VectorNames;
  /** The log that the writes come from, if they do. */
  readonly followed: FollowedLog;
  readonly fieldIndexes: FieldIndexes;
  readonly moves: PointMoves;
  readonly #rebuilds = new JobQueue();
  #closed = false;

  constructor(options: CollectionWriterOptions) {
    this.#options = options;
    // The documents were written by this class; the storage's checksum-free pages are trusted as the rest of the data is.
    this.#config = options.storage.document(CONFIG) as CollectionConfig;
    this.#schemas = vectorSchemasOf(this.#config);
    this.#ownership = ownershipOf(this.#config);
    this.#inputNorms = inputNormsIn(options.storage);
    this.followed = new FollowedLog(options.storage);
    this.#shared = CollectionGauges.allocate();
    this.#gauges = new CollectionGauges(this.#shared);
    this.#memory = new CollectionMemory({ ...options, config: this.#config });
    this.#gauges.memoryFollowing = options.storage.sequence;
    this.#gauges.memorySequence = options.storage.sequence;
    const work: CollectionWork = {
      storage: options.storage,
      memory: this.#memory,
      gauges: this.#gauges,
      replace: (make) => this.#rebuild(make),
      isClosed: () => this.#closed,
      log: options.log,
      clock: options.clock,
    };
    this.fieldIndexes = new FieldIndexes({
      storage: options.storage,
      write: (change, mark) => this.#enqueue(() => change(this.#runningTransaction().transaction), { mark }),
      withdrawing: () => options.events.withdrawing(this.handle),
      changed: () => options.events.changed(this.handle),
    });
    const atOnce = (rows: readonly number[]) => this.points(moveJob(rows));
    this.moves = new PointMoves({
      collection: collectionOfShard(options.name),
      viaLog: options.moves,
      key: this.#config.shard?.key,
      atOnce,
    });
    this.#compaction = new Compaction({
      ...work,
      move: (rows) => this.moves.move(rows),
      wake: () => options.events.written(options.name),
    });
    this.#codeRenewal = new CodeRenewal(work);
    this.backlog = new GraphBacklog({
      ...work,
      wakeIndexer: () => options.events.written(options.name),
      mayWait: () => !this.#closed && options.isServed() && !options.isEnding(),
    });
    this.upkeep = new Upkeep({ ...work, name: options.name, compaction: this.#compaction });
    this.#vectorNames = new VectorNames({
      ...work,
      directory: options.directory,
      config: () => this.#config,
      write: (change, mark) => this.#changeConfig(change, mark),
    });
    this.#sharedChanges = ChangedRows.allocate(options.storage.sequence);
    this.#changedRows = new ChangedRows(this.#sharedChanges);
  }

  get name(): string {
    return this.#options.name;
  }

  get handle(): CollectionHandle {
    return {
      name: this.#options.name,
      directory: this.#options.directory,
      config: this.#config,
      fieldIndexes: this.fieldIndexes.readable,
      spaces: this.#memory.handles,
      gauges: this.#shared,
      changedRows: this.#sharedChanges,
    };
  }

  get isPart(): boolean {
    return this.#ownership.isPart;
  }

  get config(): CollectionConfig {
    return this.#config;
  }

  get pointCount(): number {
    return this.#options.storage.pointCount;
  }

  /** Number of the last operation. */
  get sequence(): number {
    return this.#options.storage.sequence;
  }

  get gauges(): CollectionGauges {
    return this.#gauges;
  }

  get memoryBytes(): number {
    return this.#memory.bytesUsed;
  }

  /** The same list as long as nothing about vectors changes. */
  get schemas(): VectorSchemas {
    return this.#schemas;
  }

  /**
   * Runs a job of points in the next transaction.
   * @param origin.vectors how many it puts, where that can be many
   */
  async points(job: PointJob, origin: WriteOrigin = {}): Promise<UpdateResult> {
    let sequence = 0;
    await this.#enqueue(() => {
      sequence = this.#runPointJob(job);
    }, origin);
    return { operation_id: sequence, status: 'Completed' };
  }

  async updateConfig(update: UpdateCollection, mark?: LogMark): Promise<void> {
    await this.#changeConfig(() => updatedConfig(this.#config, update), mark);
    await this.#rebuild(() => this.#memory.configure(this.#config));
  }

  /** Changes nothing but the configuration; everybody knows of it then. */
  async reconfigure(change: (config: CollectionConfig) => CollectionConfig, mark: LogMark | undefined): Promise<void> {
    await this.#changeConfig(() => change(this.#config), mark);
    await this.#options.events.changed(this.handle);
  }

  async createVector(name: string, vector: VectorNameConfig, mark?: LogMark): Promise<UpdateResult> {
    return { operation_id: await this.#vectorNames.create(name, vector, mark), status: 'Completed' };
  }

  async deleteVector(name: string, mark?: LogMark): Promise<UpdateResult> {
    return { operation_id: await this.#vectorNames.delete(name, mark), status: 'Completed' };
  }

  /** A copy of a shard becomes a part of it, before anybody reads it. */
  async divide(place: ShardPlace, signal: AbortSignal): Promise<void> {
    const { isServed, directory, storage } = this.#options;
    assert(!isServed(), 'a shard is divided before anybody reads it');
    const change = (job: (changes: PointChanges) => void) => this.#enqueue(() => void this.#change(job));
    await divideShard({ place, config: this.#config, directory, change, reconfigure: (to) => this.#changeConfig(to, undefined), signal });
    this.#inputNorms = inputNormsIn(storage);
  }

  /** Goes on with what the last run left undone. */
  resume(): void {
    this.compactIfWorthwhile();
    this.#codeRenewal.watch();
    this.#vectorNames.resume();
  }

  #changeConfig(change: (transaction: StorageTransaction) => CollectionConfig | undefined, mark: LogMark | undefined): Promise<void> {
    const run = () => {
      const { transaction } = this.#runningTransaction();
      const config = change(transaction);
      if (config === undefined) return;
      transaction.putDocument(CONFIG, config);
      this.#useConfig(config);
    };
    return this.#enqueue(run, { mark });
  }

  #useConfig(config: CollectionConfig): void {
    this.#config = config;
    this.#schemas = vectorSchemasOf(config);
    this.#ownership = ownershipOf(config);
  }

  /** One after the other; everybody knows of it when it is done. */
  #rebuild(make: Parameters<CollectionWork['replace']>[0]): Promise<void> {
    return this.#rebuilds.run(async () => {
      this.#assertOpen();
      const { changed, replaced, written } = this.#options.events;
      const replacement = await make();
      try {
        // Nothing of a collection that goes may be announced.
        this.#assertOpen();
        await (replacement === undefined ? changed(this.handle) : replaced(this.handle));
      } finally {
        replacement?.release();
      }
      written(this.#options.name);
    });
  }

  /** Whether nothing goes on in it, so that it can be closed and opened again unnoticed. */
  get isIdle(): boolean {
    return this.#queue.isIdle && this.#rebuilds.length === 0 && this.upkeep.isIdle && !this.#vectorNames.areLeaving;
  }

  /** Releases memory where most of the collection was deleted; it goes on beside the writes. */
  compactIfWorthwhile(): void {
    this.#compaction.beginIfWorthwhile();
  }

  /** Resolves when every write that was asked for before is on disk; answers the number of the last one. */
  async flush(): Promise<UpdateResult> {
    await this.#enqueue(() => undefined);
    return { operation_id: this.#options.storage.sequence, status: 'Completed' };
  }

  /** Answers what waits, then closes the storage; later writes are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    this.backlog.recheck();
    this.#memory.close();
    await this.#queue.idle();
    await this.upkeep.close();
    this.#options.storage.close();
  }

  #enqueue(run: () => void, { vectors = 0, mark }: WriteOrigin = {}): Promise<void> {
    this.#assertOpen();
    this.#gauges.addWritesWaiting(1);
    return new Promise<void>((resolve, reject) => {
      const done = (error?: Error) => {
        this.#gauges.addWritesWaiting(-1);
        if (error === undefined) resolve();
        else reject(namedDamage(error, this.name));
      };
      this.#queue.add({ vectors, mark, run, done });
    });
  }

  #assertOpen(): void {
    if (this.#closed) throw new ServiceError('collection_deleted');
  }

  async #commit(group: readonly QueuedWrite[]): Promise<void> {
    await this.backlog.drained();
    const refused = new Map<QueuedWrite, ServiceError>();
    try {
      this.#commitGroup(group, refused);
    } catch (error) {
      return this.#commitAgain(group, error);
    }
    for (const write of group) write.done(refused.get(write));
    if (!this.#options.isServed()) return;
    this.#options.events.written(this.#options.name);
    this.compactIfWorthwhile();
    this.#codeRenewal.watch();
  }

  /** The transaction was undone, whatever the failure: with the shard that it lacked the group runs again, else each write by itself. */
  async #commitAgain(group: readonly QueuedWrite[], failure: unknown): Promise<void> {
    try {
      if (!(failure instanceof ShardsMissingError)) throw failure;
      await this.#memory.openShards(failure.rowBound);
      await this.#options.events.grown(this.handle);
      this.#memory.shardsKnown();
    } catch (error) {
      const [first] = group;
      if (group.length > 1 || first === undefined) for (const write of group) await this.#commit([write]);
      else {
        this.followed.failed(first);
        first.done(asError(error));
      }
      return;
    }
    await this.#commit(group);
  }

  #commitGroup(group: readonly QueuedWrite[], refused: Map<QueuedWrite, ServiceError>): void {
    const before = { fields: this.fieldIndexes.document, config: this.#config };
    const kept = { memory: [] as MemoryChanges[], inputNorms: [] as InputNorm[], takenRows: [] as number[], unusedRows: [] as number[] };
    let sequence = 0;
    let { applied } = this.followed;
    let inputNorms = this.#inputNorms;
    try {
      this.#options.storage.write((transaction) => {
        this.#running = { transaction, ...kept };
        for (const write of group) this.#runOne(write, refused);
        inputNorms = withInputNorms(ofVectors(inputNorms, this.#schemas.spaces), kept.inputNorms);
        if (inputNorms !== this.#inputNorms) transaction.putDocument(INPUT_NORMS, inputNorms);
        applied = this.followed.store(transaction, group);
        sequence = transaction.sequence;
      });
    } catch (error) {
      this.fieldIndexes.undo(before.fields);
      this.#useConfig(before.config);
      this.#memory.releaseRows(kept.takenRows);
      throw error;
    } finally {
      this.#running = undefined;
    }
    this.followed.committed(applied);
    this.#inputNorms = inputNorms;
    this.#memory.releaseRows(kept.unusedRows);
    this.#gauges.memoryFollowing = sequence;
    for (const changes of kept.memory) this.#memory.apply(changes);
    this.#gauges.memorySequence = sequence;
  }

  /** A write that is refused before it changed anything is refused alone. */
  #runOne(write: QueuedWrite, refused: Map<QueuedWrite, ServiceError>): void {
    try {
      this.followed.admit(write);
      write.run();
    } catch (error) {
      if (!(error instanceof ServiceError) || !this.followed.passesOver(write, error)) throw error;
      refused.set(write, error);
    }
  }

  #runPointJob(job: PointJob): number {
    const { sequence, rows } = this.#change(job);
    this.#changedRows.enter(sequence, rows);
    return sequence;
  }

  /** Takes a number only where the job does. */
  #change(job: (changes: PointChanges) => void): PointChanges {
    const running = this.#runningTransaction();
    const scope = { ...this.schemas, fieldIndexes: this.fieldIndexes.byField };
    const take = (count: number) => {
      const rows = this.#memory.takeRows(count);
      running.takenRows.push(...rows);
      return rows;
    };
    const surroundings = { rowSource: { take }, throttle: this.#options.throttle, ownership: this.#ownership };
    const changes = new PointChanges(running.transaction, scope, surroundings);
    try {
      job(changes);
    } catch (error) {
      if (changes.begun) throw new Error('a write failed after it had begun', { cause: error });
      throw error;
    } finally {
      running.unusedRows.push(...changes.unusedRows);
    }
    running.memory.push(changes.memory);
    running.inputNorms.push(...changes.inputNorms);
    return changes;
  }

  #runningTransaction(): RunningTransaction {
    assert(this.#running !== undefined, 'jobs run inside a transaction');
    return this.#running;
  }
}
