// SPDX-License-Identifier: Apache-2.0
/**
 * A node of a cluster: its writes go to the log, and what comes from the log, in its order, is what every node applies. Nobody leads. The log decides the
 * order, and an operation decides everything else from the state that it finds, which is the same on every node; so a node that is slow, paused or dead
 * takes nothing with it, and needs no fencing. See docs/design/cluster.md.
 */
import { ServiceError, type UpdateResult } from '@sextant/contracts-vector';
import { assert, pause, type Timer } from '@sextant/foundation-std';
import {
  type CatalogListing,
  type CatalogOperation,
  type CollectionOperation,
  isAfter,
  isCatalogOperation,
  isOwnTrouble,
  type LogMark,
  listingOf,
  type OperationRunner,
  runOnCatalog,
} from '@sextant/vector-collection';
import { type LogEntry, LogTruncatedError, type Member } from '@sextant/vector-log';
import { decodeBatch, UnknownFormatError } from './batch.ts';
import { firstCopy } from './first-copy.ts';
import type { IncomingStatus } from './incoming-shard.ts';
import { IncomingShards } from './incoming-shards.ts';
import { Lane } from './lane.ts';
import { decodeOperation, encodeOperation } from './operation-codec.ts';
import { AwaitedFacts, Progress } from './progress.ts';
import type { ReplicationStatus, ReplicatorOptions } from './replicator-options.ts';
import { checkNewestMark, checkStanding, ReplicationRefusedError, type Standing, StandingStore, startingPoint } from './standing.ts';
import { type Outcome, Submissions } from './submissions.ts';

const READ_WAIT_MS = 1000;
const RETRY_PAUSE_MS = 250;
const CATALOG_RETRY_PAUSE_MS = 1000;
/** Entries that were read and are not applied yet. */
const ENTRIES_AHEAD_MAX = 128;
const BYTES_AHEAD_MAX = 64 * 1024 * 1024;
const HEARTBEAT_MS = 2000;
/** Entries that stay in the log although every member has applied them: a copy of a data directory has so long to come back. */
const ENTRIES_KEPT = 10_000;
/** Truncating costs the log something, so it is done for so many at a time. */
const TRUNCATED_AT_ONCE = 1000;

export class Replicator implements OperationRunner {
  readonly #options: ReplicatorOptions;
  readonly #submissions: Submissions;
  readonly #standings: StandingStore;
  readonly #incoming: IncomingShards;
  readonly #lanes = new Map<string, Lane>();
  readonly #facts = new AwaitedFacts();
  readonly #asked: ((listing: CatalogListing) => void)[] = [];
  #progress = new Progress(0);
  /** The batches of positions that were read and are not on disk for certain, and of the last one before. */
  readonly #batches = new Map<number, string>();
  #standing: Standing | undefined;
  #last = 0;
  #acknowledged = 0;
  #isConnected = true;
  #isClosed = false;
  #following: Promise<void> = Promise.resolve();
  #heartbeat: Timer | undefined;
  #beating: Promise<void> = Promise.resolve();

  constructor(options: ReplicatorOptions) {
    this.#options = options;
    this.#submissions = new Submissions({ log: options.log, clock: options.clock, logger: options.logger });
    this.#standings = new StandingStore(options.store);
    this.#incoming = new IncomingShards({
      ...options,
      receive: options.receive,
      submit: (operation) => this.#submissions.submit(encodeOperation(operation)),
    });
  }

  /**
   * Follows the log from where this node stopped, and resolves when it has what was in the log by now. The collections are loaded.
   * @throws ReplicationRefusedError
   */
  async start(): Promise<void> {
    const { clock } = this.#options;
    const known = (await this.#patiently(() => this.#whereToBegin())) ?? (await this.#firstCopy());
    if (known === undefined) return;
    const { standing, last } = known;
    this.#standing = standing;
    this.#standings.put(standing);
    this.#progress = new Progress(standing.applied);
    if (standing.batch !== undefined) this.#batches.set(standing.applied, standing.batch);
    this.#last = last;
    this.#following = this.#follow().catch((error: unknown) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    this.#heartbeat = clock.every(HEARTBEAT_MS, () => {
      this.#beating = this.#beating.then(() => this.#beat());
    });
    await this.#beat();
    await this.#facts.until(() => this.#progress.done >= last || this.#isClosed);
  }

  /** One after the other without a break: a log that could not be reached meanwhile may have become another one. */
  async #whereToBegin(): Promise<{ readonly standing: Standing; readonly last: number } | undefined> {
    const { log, catalog, source } = this.#options;
    const standing = await startingPoint(log, this.#standings.get(), { isEmpty: catalog.isEmpty, canCopy: source !== undefined });
    if (standing === undefined) return undefined;
    await checkNewestMark(log, catalog.newestMark);
    return { standing, last: (await log.describe()).last };
  }

  /** undefined where the service ends before the copies have come. */
  async #firstCopy(): Promise<{ readonly standing: Standing; readonly last: number } | undefined> {
    const { node, address, source } = this.#options;
    assert(source !== undefined, 'a node that waits for its first copies can ask for them');
    const announcement = { node, address, isFull: false };
    const isClosed = () => this.#isClosed;
    const copied = await firstCopy({ ...this.#options, standings: this.#standings, source, announcement, isClosed });
    if (copied === undefined) return undefined;
    this.#standings.put(copied);
    return this.#patiently(() => this.#whereToBegin());
  }

  /** Which collections there are, between two operations of the log. */
  listing(): Promise<CatalogListing> {
    return new Promise((resolve) => this.#asked.push(resolve));
  }

  get status(): ReplicationStatus {
    const { node, address } = this.#options;
    const applied = this.#progress.done;
    const last = Math.max(this.#last, this.#progress.read);
    return { node, address, applied, acknowledged: this.#acknowledged, last, isConnected: this.#isConnected };
  }

  /** Shards that are on their way to this node, and those that it waits for. */
  get incoming(): readonly IncomingStatus[] {
    return this.#incoming.statuses();
  }

  members(): Promise<readonly Member[]> {
    return this.#options.log.members();
  }

  /** The log is not kept for this node any more. One that lives announces itself again. */
  forget(node: string): Promise<boolean> {
    return this.#options.log.forget(node);
  }

  async onCatalog(operation: CatalogOperation): Promise<boolean> {
    this.#options.catalog.admit(operation);
    // What `#runOnCatalog` answered.
    return (await this.#submissions.submit(encodeOperation(operation))) as boolean;
  }

  async onCollection(operation: CollectionOperation): Promise<UpdateResult> {
    this.#options.catalog.admit(operation);
    // What a lane answered.
    return (await this.#submissions.submit(encodeOperation(operation))) as UpdateResult;
  }

  /** Resolves when everything that is in the log by now has been applied here: what is read then is as new as any node could give it. */
  async caughtUp(): Promise<void> {
    const { last } = await this.#options.log.describe();
    await this.reached(last);
  }

  /** Resolves when everything up to a position of the log has been applied here. */
  async reached(position: number): Promise<void> {
    await this.#facts.until(() => this.#progress.done >= position || this.#isClosed);
  }

  /** What was applied is on disk; writes that still wait are refused as the service ends. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#heartbeat?.cancel();
    this.#submissions.end(() => new ServiceError('shutting_down'));
    this.#noteProgress();
    await this.#options.log.close();
    // What is on its way ends first: the log's reader may wait for it.
    await this.#incoming.close();
    await this.#following;
    await this.#beating;
    for (const lane of this.#lanes.values()) await lane.idle();
    this.#checkpoint();
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      const entries = await this.#next();
      if (entries.length === 0) await this.#turn();
      for (const entry of entries) {
        await this.#facts.until(() => this.#hasRoom() || this.#isClosed);
        if (this.#isClosed) return;
        await this.#turn();
        await this.#dispatch(entry);
      }
    }
  }

  /** Between two entries, when no operation on the catalog is carried out. */
  async #turn(): Promise<void> {
    for (const answer of this.#asked.splice(0)) answer(listingOf(this.#options.catalog));
    await this.#incoming.turn(this.#progress.read);
  }

  /** Asks the log until it answers; a node without its log is not ready. */
  async #patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
    const { clock, logger } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (this.#isClosed || error instanceof ReplicationRefusedError) throw error;
        if (attempt === 0) logger.warn({ err: error }, 'the log of the cluster does not answer; the node is not ready until it does');
      }
      await pause(clock, RETRY_PAUSE_MS);
    }
  }

  /** None where there are none for now, or where the log cannot be read for now. */
  async #next(): Promise<readonly LogEntry[]> {
    const { log, clock, logger } = this.#options;
    try {
      if (!this.#isConnected) await this.#reconnect();
      return await log.read({ after: this.#progress.read, waitMs: READ_WAIT_MS });
    } catch (error) {
      if (this.#isClosed) return [];
      if (error instanceof LogTruncatedError || error instanceof ReplicationRefusedError) throw error;
      if (this.#isConnected) logger.error({ err: error }, 'the log of the cluster cannot be read: writes wait, reads continue');
      this.#isConnected = false;
      this.#options.observe(this.status);
      this.#submissions.unreachable();
      await pause(clock, RETRY_PAUSE_MS);
      return [];
    }
  }

  /** Whatever happened to the log meanwhile, it is the same one, or the node ends. */
  async #reconnect(): Promise<void> {
    const { log, catalog, logger } = this.#options;
    const { read } = this.#progress;
    await checkStanding(log, this.#standingAt(read));
    await checkNewestMark(log, catalog.newestMark);
    this.#isConnected = true;
    this.#options.observe(this.status);
    logger.info({ position: read }, 'the log of the cluster can be read again');
  }

  /** One entry is taken however large it is. */
  #hasRoom(): boolean {
    const { pending, pendingBytes } = this.#progress;
    return pending < ENTRIES_AHEAD_MAX && pendingBytes < BYTES_AHEAD_MAX;
  }

  async #dispatch({ position, entry }: LogEntry): Promise<void> {
    const { id, operations } = decodeBatch(entry);
    this.#batches.set(position, id);
    const partDone = this.#progress.begin(position, { parts: operations.length, bytes: entry.length });
    for (const [index, bytes] of operations.entries()) {
      const operation = decodeOperation(bytes);
      const mark = { position, index, batch: id };
      const done = (outcome: Outcome) => {
        partDone();
        if (this.#submissions.applied(id, index, outcome)) this.#acknowledged = Math.max(this.#acknowledged, position);
        // Everybody knows of it before its caller does.
        this.#noteProgress();
      };
      if (isCatalogOperation(operation)) {
        const outcome = await this.#runOnCatalog(operation, mark);
        this.#incoming.changed(mark);
        done(outcome);
      } else this.#addToLanes(operation, mark, done);
      if (this.#isClosed) return;
    }
    this.#noteProgress();
  }

  /** A collection in shards does an operation in each part that this node has and it is about; they all end it alike, but for keys that are gone. */
  #addToLanes(operation: CollectionOperation, mark: LogMark, done: (outcome: Outcome) => void): void {
    const { catalog } = this.#options;
    const parts = catalog.partsOf(catalog.nameOf(operation.collection), operation);
    const outcomes: Outcome[] = [];
    let left = parts.length;
    for (const [index, part] of parts.entries()) {
      const partDone = (outcome: Outcome) => {
        outcomes[index] = outcome;
        left -= 1;
        if (left === 0) done(outcomes.find((each) => 'error' in each) ?? outcomes[0] ?? outcome);
      };
      this.#lane(part).add({ operation, mark, done: partDone });
    }
  }

  /** What a name means may change, so everything before it has been carried out, and nothing after it has begun. */
  async #runOnCatalog(operation: CatalogOperation, mark: LogMark): Promise<Outcome> {
    const { catalog, clock, logger, carryOut } = this.#options;
    for (const [name, lane] of this.#lanes) {
      await lane.idle();
      this.#lanes.delete(name);
    }
    if (!isAfter(mark, catalog.applied)) return { result: undefined };
    while (!this.#isClosed) {
      try {
        return { result: await (carryOut?.onCatalog(operation, mark) ?? runOnCatalog(catalog, operation, mark)) };
      } catch (error) {
        if (!isOwnTrouble(error) || !isAfter(mark, catalog.applied)) return { error };
        logger.error({ err: error, ...mark }, 'an operation of the log could not be applied; it is retried');
      }
      await pause(clock, CATALOG_RETRY_PAUSE_MS);
    }
    return { error: new ServiceError('shutting_down') };
  }

  #lane(collection: string): Lane {
    const { catalog, clock, logger, carryOut } = this.#options;
    const known = this.#lanes.get(collection);
    if (known !== undefined) return known;
    const isApplied = (name: string, mark: LogMark) => {
      const followed = catalog.followed(name);
      return !isAfter(mark, catalog.applied) || (followed !== undefined && !isAfter(mark, followed.applied));
    };
    const lane = new Lane({
      collection,
      catalog,
      carryOut: carryOut?.onCollection,
      isApplied,
      isClosed: () => this.#isClosed,
      clock,
      logger,
    });
    this.#lanes.set(collection, lane);
    return lane;
  }

  /** Tells the cluster how far this node is, and takes from the log what every member has. A log that cannot be reached is `#next`'s to notice. */
  async #beat(): Promise<void> {
    const { log, node, address } = this.#options;
    this.#checkpoint();
    if (this.#isClosed || this.#standing === undefined) return;
    try {
      // What it needs of the log is what it lacks, shards on their way included.
      const applied = Math.min(this.#standing.applied, this.#incoming.neededAfter);
      await log.announce({ node, address, applied, isFull: this.#options.isFull?.() ?? false });
      const [{ first, last }, members] = [await log.describe(), await log.members()];
      this.#last = Math.max(this.#last, last);
      this.#options.observe(this.status);
      this.#options.meet?.(members);
      const below = Math.min(...members.map(({ applied }) => applied)) + 1 - ENTRIES_KEPT;
      if (below - first >= TRUNCATED_AT_ONCE) await log.truncate({ below });
    } catch (error) {
      this.#options.logger.info({ err: error }, 'this node could not announce itself in the log of the cluster');
    }
  }

  /** A collection that could not be loaded has to catch up when it can, so nothing that it may lack counts as applied. */
  #checkpoint(): void {
    const { done } = this.#progress;
    if (this.#standing === undefined || done <= this.#standing.applied || this.#options.catalog.hasFailed) return;
    this.#standing = this.#standingAt(done);
    this.#standings.put(this.#standing);
    for (const position of this.#batches.keys()) if (position < done) this.#batches.delete(position);
  }

  #standingAt(position: number): Standing {
    const batch = this.#batches.get(position);
    return { log: this.#standing?.log ?? '', applied: position, ...(batch === undefined ? {} : { batch }) };
  }

  #noteProgress(): void {
    this.#options.observe(this.status);
    this.#facts.changed();
  }

  #fail(error: Error): void {
    const reason =
      error instanceof UnknownFormatError || error instanceof ReplicationRefusedError ? error.message : 'the log cannot be followed';
    this.#options.logger.error({ err: error }, reason);
    this.#submissions.end(() => new ServiceError('log_unavailable'));
    this.#options.failed(error);
  }
}
