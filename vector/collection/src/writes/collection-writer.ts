/** The write side of one collection: the only place where its storage changes, and with it its memory. */
import { type FieldSchema, ServiceError, type UpdateCollection, type UpdateResult, type VectorNameConfig } from '@sextant/contracts-vector';
import { assert, type Clock } from '@sextant/foundation-std';
import type { StorageTransaction, StorageWriter } from '@sextant/vector-storage';
import { type FieldIndex, isSameSchema } from '../field-index/schema.ts';
import { ChangedRows } from '../model/changed-rows.ts';
import { type CollectionConfig, updatedConfig } from '../model/collection-config.ts';
import { CONFIG, FIELD_INDEXES, INPUT_NORMS } from '../model/collection-documents.ts';
import { CollectionGauges, type CollectionHandle } from '../model/collection-handle.ts';
import { namedDamage } from '../model/damage.ts';
import { type InputNorm, type InputNorms, ofVectors, withInputNorms } from '../model/input-norms.ts';
import type { Log } from '../model/log.ts';
import { type VectorSchemas, vectorSchemasOf } from '../model/vectors.ts';
import { CodeRenewal } from './code-renewal.ts';
import { CollectionMemory, type Replacement, ShardsMissingError } from './collection-memory.ts';
import { Compaction } from './compaction.ts';
import { dropFieldIndex, type FieldIndexDocument, fillFieldIndex, withFieldIndex } from './field-index-jobs.ts';
import { GraphBacklog } from './graph-backlog.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { type MemoryChanges, PointChanges } from './point-changes.ts';
import { moveJob, type PointJob } from './point-jobs.ts';
import { Upkeep } from './upkeep.ts';
import { VectorNames } from './vector-names.ts';
import { type QueuedWrite, WriteQueue } from './write-queue.ts';
import type { WriterEvents } from './writer-events.ts';

export type CollectionWriterOptions = {
  readonly name: string;
  readonly directory: string;
  readonly storage: StorageWriter;
  readonly log: Log;
  readonly clock: Clock;
  readonly budget: MemoryBudget;
  readonly rowsPerShard?: number | undefined;
  /** See `CatalogOptions`. */
  readonly throttle: () => void;
  readonly isEnding: () => boolean;
  readonly events: WriterEvents;
};

type RunningTransaction = {
  readonly transaction: StorageTransaction;
  readonly memory: MemoryChanges[];
  readonly inputNorms: InputNorm[];
  /** Rows that jobs took, and of those the rows that they did not use after all. */
  readonly takenRows: number[];
  readonly unusedRows: number[];
};

export class CollectionWriter {
  readonly #options: CollectionWriterOptions;
  readonly #queue = new WriteQueue((group) => this.#commit(group));
  readonly #shared: SharedArrayBuffer;
  readonly #gauges: CollectionGauges;
  readonly #sharedChanges: SharedArrayBuffer;
  readonly #changedRows: ChangedRows;
  #config: CollectionConfig;
  #schemas: VectorSchemas;
  #fields: FieldIndexDocument;
  #inputNorms: InputNorms;
  /** Fields whose indexes are on disk still, but which no reader may use any more. */
  readonly #withdrawn = new Set<string>();
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
  /** The rebuild of the spaces that runs, if one does. */
  #rebuilding: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: CollectionWriterOptions) {
    this.#options = options;
    // The documents were written by this class; the storage's checksum-free pages are trusted as the rest of the data is.
    this.#config = options.storage.document(CONFIG) as CollectionConfig;
    this.#schemas = vectorSchemasOf(this.#config);
    this.#fields = (options.storage.document(FIELD_INDEXES) as FieldIndexDocument | undefined) ?? { nextOrdinal: 0, indexes: [] };
    this.#inputNorms = (options.storage.document(INPUT_NORMS) as InputNorms | undefined) ?? {};
    this.#shared = CollectionGauges.allocate();
    this.#gauges = new CollectionGauges(this.#shared);
    this.#memory = new CollectionMemory({ ...options, config: this.#config });
    this.#gauges.memoryFollowing = options.storage.sequence;
    this.#gauges.memorySequence = options.storage.sequence;
    const work = {
      storage: options.storage,
      memory: this.#memory,
      gauges: this.#gauges,
      replace: (make: () => Promise<Replacement | undefined> | Replacement) => this.#rebuild(make),
      isClosed: () => this.#closed,
      log: options.log,
      clock: options.clock,
    };
    this.#compaction = new Compaction({
      ...work,
      move: (rows) => this.points(moveJob(rows)),
      wake: () => options.events.written(options.name),
    });
    this.#codeRenewal = new CodeRenewal(work);
    this.backlog = new GraphBacklog({
      ...work,
      wakeIndexer: () => options.events.written(options.name),
      mayWait: () => !this.#closed && !options.isEnding(),
    });
    this.upkeep = new Upkeep({ ...work, name: options.name, compaction: this.#compaction });
    this.#vectorNames = new VectorNames({
      directory: options.directory,
      config: () => this.#config,
      memory: this.#memory,
      write: (change) => this.#changeConfig(change),
      replace: (make) => this.#rebuild(make),
      isClosed: () => this.#closed,
      log: options.log,
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
      fieldIndexes: this.#fields.indexes.filter(({ field }) => !this.#withdrawn.has(field)),
      spaces: this.#memory.handles,
      gauges: this.#shared,
      changedRows: this.#sharedChanges,
    };
  }

  get pointCount(): number {
    return this.#options.storage.pointCount;
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
   * @param vectors how many it puts, where that can be many
   */
  async points(job: PointJob, vectors = 0): Promise<UpdateResult> {
    let sequence = 0;
    await this.#enqueue(() => {
      sequence = this.#runPointJob(job);
    }, vectors);
    return { operation_id: sequence, status: 'Completed' };
  }

  async createFieldIndex(field: string, schema: FieldSchema): Promise<UpdateResult> {
    const isSame = (index: FieldIndex) => index.field === field && isSameSchema(index.schema, schema);
    if (!this.#fields.indexes.some(isSame)) await this.#withdraw(field);
    return this.#changeFields(field, (transaction) => {
      if (this.#fields.indexes.some(isSame)) return this.#fields;
      const { document, added } = withFieldIndex(dropFieldIndex(transaction, this.#fields, field), { field, schema });
      fillFieldIndex(transaction, added);
      return document;
    });
  }

  async deleteFieldIndex(field: string): Promise<UpdateResult> {
    await this.#withdraw(field);
    return this.#changeFields(field, (transaction) => dropFieldIndex(transaction, this.#fields, field));
  }

  /** A reader that still knew an index whose posting lists are gone would find nothing in it, so readers forget it first. */
  async #withdraw(field: string): Promise<void> {
    if (!this.#fields.indexes.some((index) => index.field === field)) return;
    this.#withdrawn.add(field);
    await this.#options.events.withdrawing(this.handle);
  }

  async updateConfig(update: UpdateCollection): Promise<void> {
    await this.#changeConfig(() => updatedConfig(this.#config, update));
    await this.#rebuild(() => this.#memory.configure(this.#config));
  }

  async createVector(name: string, vector: VectorNameConfig): Promise<UpdateResult> {
    return { operation_id: await this.#vectorNames.create(name, vector), status: 'Completed' };
  }

  async deleteVector(name: string): Promise<UpdateResult> {
    return { operation_id: await this.#vectorNames.delete(name), status: 'Completed' };
  }

  /** Goes on with what the last run left undone. */
  resume(): void {
    this.compactIfWorthwhile();
    this.#codeRenewal.watch();
    this.#vectorNames.resume();
  }

  #changeConfig(change: (transaction: StorageTransaction) => CollectionConfig | undefined): Promise<void> {
    return this.#enqueue(() => {
      const { transaction } = this.#runningTransaction();
      const config = change(transaction);
      if (config === undefined) return;
      transaction.putDocument(CONFIG, config);
      this.#useConfig(config);
    });
  }

  #useConfig(config: CollectionConfig): void {
    this.#config = config;
    this.#schemas = vectorSchemasOf(config);
  }

  /** One after the other; everybody knows of it when it is done. */
  #rebuild(make: () => Promise<Replacement | undefined> | Replacement): Promise<void> {
    const rebuilt = this.#rebuilding.then(async () => {
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
    this.#rebuilding = rebuilt.catch(() => undefined);
    return rebuilt;
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

  async #changeFields(field: string, change: (transaction: StorageTransaction) => FieldIndexDocument): Promise<UpdateResult> {
    let sequence = 0;
    try {
      await this.#enqueue(() => {
        const { transaction } = this.#runningTransaction();
        sequence = transaction.nextSequence();
        const fields = change(transaction);
        transaction.putDocument(FIELD_INDEXES, fields);
        // Later jobs of the same transaction must keep the new index up to date.
        this.#fields = fields;
      });
    } finally {
      // Also after a failure: an index that was withdrawn is still there then.
      this.#withdrawn.delete(field);
      await this.#options.events.changed(this.handle);
    }
    return { operation_id: sequence, status: 'Completed' };
  }

  #enqueue(run: () => void, vectors = 0): Promise<void> {
    this.#assertOpen();
    this.#gauges.addWritesWaiting(1);
    return new Promise<void>((resolve, reject) => {
      const done = (error?: Error) => {
        this.#gauges.addWritesWaiting(-1);
        if (error === undefined) resolve();
        else reject(namedDamage(error, this.name));
      };
      this.#queue.add({ vectors, run, done });
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
      if (group.length === 1) return group[0]?.done(asError(error));
      for (const write of group) await this.#commit([write]);
      return;
    }
    await this.#commit(group);
  }

  #commitGroup(group: readonly QueuedWrite[], refused: Map<QueuedWrite, ServiceError>): void {
    const before = { fields: this.#fields, config: this.#config };
    const kept = { memory: [] as MemoryChanges[], inputNorms: [] as InputNorm[], takenRows: [] as number[], unusedRows: [] as number[] };
    let sequence = 0;
    let inputNorms = this.#inputNorms;
    try {
      this.#options.storage.write((transaction) => {
        this.#running = { transaction, ...kept };
        for (const write of group) this.#runOne(write, refused);
        inputNorms = withInputNorms(ofVectors(inputNorms, this.#schemas.spaces), kept.inputNorms);
        if (inputNorms !== this.#inputNorms) transaction.putDocument(INPUT_NORMS, inputNorms);
        sequence = transaction.sequence;
      });
    } catch (error) {
      this.#fields = before.fields;
      this.#useConfig(before.config);
      this.#memory.releaseRows(kept.takenRows);
      throw error;
    } finally {
      this.#running = undefined;
    }
    this.#inputNorms = inputNorms;
    this.#memory.releaseRows(kept.unusedRows);
    this.#gauges.memoryFollowing = sequence;
    for (const changes of kept.memory) this.#memory.apply(changes);
    this.#gauges.memorySequence = sequence;
  }

  /** A write that is refused before it changed anything is refused alone. */
  #runOne(write: QueuedWrite, refused: Map<QueuedWrite, ServiceError>): void {
    try {
      write.run();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refused.set(write, error);
    }
  }

  #runPointJob(job: PointJob): number {
    const running = this.#runningTransaction();
    const scope = { ...this.schemas, fieldIndexes: new Map(this.#fields.indexes.map((index) => [index.field, index])) };
    const rowSource = { take: (count: number) => this.#takeRows(count) };
    const changes = new PointChanges(running.transaction, scope, { rowSource, throttle: this.#options.throttle });
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
    this.#changedRows.enter(changes.sequence, changes.rows);
    return changes.sequence;
  }

  #takeRows(count: number): number[] {
    const rows = this.#memory.takeRows(count);
    this.#runningTransaction().takenRows.push(...rows);
    return rows;
  }

  #runningTransaction(): RunningTransaction {
    assert(this.#running !== undefined, 'jobs run inside a transaction');
    return this.#running;
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
