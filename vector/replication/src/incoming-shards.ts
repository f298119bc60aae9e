// SPDX-License-Identifier: Apache-2.0
/**
 * The shards that should be on this node and are not: those of transfers, those that others are divided into, and those that its disk has lost. What is missing follows from the placement, so
 * whatever ends half-way, here or elsewhere, is begun again.
 */
import type { Clock } from '@sextant/foundation-std';
import type { Catalog, CatalogOperation, Log, LogMark } from '@sextant/vector-collection';
import { LogTruncatedError, type OperationLog } from '@sextant/vector-log';
import { IncomingShard, type IncomingStatus, type NamedCollections, type ReceiveShard } from './incoming-shard.ts';
import type { CarryOut } from './lane.ts';

export type IncomingShardsOptions = {
  readonly catalog: Catalog;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly logger: Log;
  /** Undefined where other nodes cannot be asked. */
  readonly receive: ReceiveShard | undefined;
  readonly carryOut?: CarryOut | undefined;
  /** Puts an operation into the log. */
  readonly submit: (operation: CatalogOperation) => Promise<unknown>;
};

/** Copies that are made at a time; each reads and writes as much as two disks give. */
const COPIES_MAX = 2;
/** A shard that is so near takes in the rest while the node waits for it. */
const NEAR_ENTRIES = 64;
const RETRY_MS = 2000;

export class IncomingShards {
  readonly #options: IncomingShardsOptions;
  readonly #incoming = new Map<string, IncomingShard>();
  readonly #failures = new Map<string, string>();
  readonly #notBeforeMs = new Map<string, number>();
  /** Notes that shards have come, on their way through the log, by their ids. */
  readonly #ending = new Set<string>();
  /** The shards whose entries are read beside the node's own. */
  readonly #following = new Map<string, Promise<void>>();
  readonly #abandoned = new Set<Promise<void>>();
  #dispatched = 0;
  #mayHaveChanged = true;
  #isClosed = false;

  constructor(options: IncomingShardsOptions) {
    this.#options = options;
  }

  /** Entries after this position are needed by a shard that is on its way. */
  get neededAfter(): number {
    return Math.min(...[...this.#incoming.values()].map(({ position }) => position));
  }

  statuses(): readonly IncomingStatus[] {
    return this.#options.catalog.shards.missing().map(({ shard }) => {
      const incoming = this.#incoming.get(shard);
      const failure = this.#failures.get(shard);
      const why = failure === undefined ? {} : { failure };
      if (incoming === undefined) return { shard, phase: 'waiting', bytes: 0, bytesTotal: 0, behind: 0, ...why };
      return { ...incoming.status, behind: Math.max(0, this.#dispatched - incoming.position), ...why };
    });
  }

  /** Which collections there are, where they are, or what they are called has changed. */
  changed(mark: LogMark): void {
    this.#mayHaveChanged = true;
    if (this.#incoming.size === 0) return;
    const named = this.#named();
    for (const incoming of this.#incoming.values()) incoming.noteNames(mark, named);
  }

  /**
   * To be called between two entries: whatever takes its place, or begins, does it here.
   * @param dispatched everything up to this position has been given to those that carry it out, and nothing that comes after it
   */
  async turn(dispatched: number): Promise<void> {
    this.#dispatched = dispatched;
    for (const [shard, incoming] of this.#incoming) await this.#goOn(shard, incoming);
    if (!this.#mayHaveChanged || this.#isClosed) return;
    this.#mayHaveChanged = false;
    this.#tellCompleted();
    this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const incoming of this.#incoming.values()) this.#abandon(incoming);
    await Promise.all(this.#abandoned);
  }

  async #goOn(shard: string, incoming: IncomingShard): Promise<void> {
    if (!incoming.isReceived) return;
    if (this.#dispatched - incoming.position > NEAR_ENTRIES) {
      if (!this.#following.has(shard)) this.#following.set(shard, this.#follow(shard, incoming));
      return;
    }
    // What it takes in beside the node ends first.
    await this.#following.get(shard);
    if (this.#incoming.get(shard) !== incoming || !this.#isWanted(incoming)) return;
    await this.#attempt(shard, incoming, async () => {
      while (incoming.position < this.#dispatched) if (!(await incoming.advance(this.#dispatched))) return;
      if (this.#isClosed) return;
      await incoming.serve();
      this.#incoming.delete(shard);
      this.#failures.delete(shard);
      this.#mayHaveChanged = true;
      this.#options.logger.info({ shard }, 'a shard was copied to this node');
    });
  }

  /** Beside the node's own entries, until it is near. */
  async #follow(shard: string, incoming: IncomingShard): Promise<void> {
    await this.#attempt(shard, incoming, async () => {
      while (this.#dispatched - incoming.position > NEAR_ENTRIES && this.#incoming.get(shard) === incoming && !this.#isClosed)
        if (!(await incoming.advance(this.#dispatched))) break;
    });
    this.#following.delete(shard);
  }

  /** A log that cannot be read now is read later; a copy that the log has left behind is of no use. */
  async #attempt(shard: string, incoming: IncomingShard, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (error instanceof LogTruncatedError) this.#failed(shard, incoming, error);
      else if (!this.#isClosed)
        this.#options.logger.warn({ err: error, shard }, 'the transfer of a shard to this node failed; it is retried');
    }
  }

  /** That a copy is complete is for all nodes to know. */
  #tellCompleted(): void {
    const { catalog, submit, clock, logger } = this.#options;
    for (const { id, operation } of catalog.shards.completed()) {
      if (this.#ending.has(id)) continue;
      this.#ending.add(id);
      submit(operation)
        .catch((error: unknown) => {
          // It was aborted meanwhile, or the log cannot be reached; then it is reported again.
          if (this.#isClosed) return;
          logger.warn({ err: error, ...operation }, 'the arrival of a shard could not be recorded');
          clock.after(RETRY_MS, () => {
            this.#mayHaveChanged = true;
          });
        })
        .finally(() => this.#ending.delete(id));
    }
  }

  #begin(): void {
    const { catalog, clock, log, logger, receive, carryOut } = this.#options;
    for (const incoming of this.#incoming.values()) if (!this.#isWanted(incoming)) this.#abandon(incoming);
    if (receive === undefined) return;
    const nowMs = clock.monotonicMs();
    for (const wanted of catalog.shards.missing()) {
      const { shard } = wanted;
      if (this.#incoming.has(shard) || (this.#notBeforeMs.get(shard) ?? 0) > nowMs) continue;
      if (this.#incoming.size === COPIES_MAX) return;
      logger.info({ shard, from: wanted.holders }, 'the transfer of a shard to this node starts');
      const incoming: IncomingShard = new IncomingShard({
        wanted,
        // A node that reads the log again knows what there was later, and not what there was here.
        from: Math.max(this.#dispatched, catalog.applied.position),
        named: this.#named(),
        receive,
        carryOut: carryOut?.onCollection,
        log,
        clock,
        logger,
        failed: (error) => this.#failed(shard, incoming, error),
      });
      this.#incoming.set(shard, incoming);
    }
  }

  #failed(shard: string, incoming: IncomingShard, error: unknown): void {
    const { clock, logger } = this.#options;
    this.#abandon(incoming);
    if (this.#isClosed) return;
    this.#failures.set(shard, error instanceof Error ? error.message : String(error));
    logger.warn({ err: error, shard }, 'a shard could not be copied to this node; the copy is retried');
    this.#notBeforeMs.set(shard, clock.monotonicMs() + RETRY_MS);
    clock.after(RETRY_MS, () => {
      this.#notBeforeMs.delete(shard);
      this.#mayHaveChanged = true;
    });
  }

  #abandon(incoming: IncomingShard): void {
    this.#incoming.delete(incoming.wanted.shard);
    this.#mayHaveChanged = true;
    const ended = incoming
      .abandon()
      .catch((error: unknown) => this.#options.logger.error({ err: error }, 'a copy of a shard could not be removed'))
      .finally(() => this.#abandoned.delete(ended));
    this.#abandoned.add(ended);
  }

  /** Also that it is still a shard of the same collection, and not of a later one of the same name. */
  #isWanted({ wanted }: IncomingShard): boolean {
    return this.#options.catalog.shards
      .missing()
      .some(({ shard, definition }) => shard === wanted.shard && definition === wanted.definition);
  }

  #named(): NamedCollections {
    const { catalog } = this.#options;
    return {
      aliases: new Map(catalog.aliases().map(({ alias_name, collection_name }) => [alias_name, collection_name])),
      recoveries: new Map(catalog.recoveries.unfinished().map(({ collection, id }) => [collection, id])),
    };
  }
}
