// SPDX-License-Identifier: Apache-2.0
/**
 * A shard on its way to this node. It begins as a copy of another node's, or as a part of the copy of the shard that it is divided from, made when that had everything up to the position where this node was; then it
 * takes in what the log has brought since, beside everything else that this node does, until it is level. Then it takes its place between two entries.
 */

import type { Clock } from '@sextant/foundation-std';
import type { CollectionOperation, Log, LogMark, ReceivedCollection, WantedShard } from '@sextant/vector-collection';
import { isAfter, isCatalogOperation, isPointOperation, keysNamed, refusedByRecovery } from '@sextant/vector-collection';
import type { OperationLog } from '@sextant/vector-log';
import { decodeBatch } from './batch.ts';
import { type CarryOut, Lane } from './lane.ts';
import { decodeOperation } from './operation-codec.ts';

/** How far a shard has come that is on its way to this node. */
export type IncomingStatus = {
  readonly shard: string;
  /** `waiting` for a node that has it, after a failure. */
  readonly phase: 'waiting' | 'copying' | 'following';
  /** Of the copy, so far and altogether; 0 before it is known. */
  readonly bytes: number;
  readonly bytesTotal: number;
  /** Entries of the log that it still has to take in. */
  readonly behind: number;
  /** Why it was begun again last. */
  readonly failure?: string;
};

/** Gets a shard, or the one that it is made from, from a node that has it. */
export type ReceiveShard = (request: {
  readonly wanted: WantedShard;
  /** The copy has everything up to this position of the log. */
  readonly atLeast: number;
  readonly signal: AbortSignal;
  readonly progressed: (bytes: { readonly done: number; readonly total: number }) => void;
}) => Promise<ReceivedCollection>;

/** What the meaning of operations hangs on besides the collection itself. */
export type NamedCollections = {
  /** The collection of each alias. */
  readonly aliases: ReadonlyMap<string, string>;
  /** The recovery of each collection that one makes. */
  readonly recoveries: ReadonlyMap<string, string>;
};

export type IncomingShardOptions = {
  readonly wanted: WantedShard;
  /** Everything up to here has been dispatched on this node. */
  readonly from: number;
  /** What there was at that position. */
  readonly named: NamedCollections;
  readonly receive: ReceiveShard;
  /** What an operation does to it, where it is not the usual. */
  readonly carryOut?: CarryOut['onCollection'] | undefined;
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly logger: Log;
  readonly failed: (error: unknown) => void;
};

export class IncomingShard {
  readonly #options: IncomingShardOptions;
  readonly #ended = new AbortController();
  /** What there was after which operation. */
  readonly #names: { readonly mark: LogMark; readonly named: NamedCollections }[];
  readonly #running: Promise<void>;
  #copy: ReceivedCollection | undefined;
  #lane: Lane | undefined;
  #position: number;
  #bytes = { done: 0, total: 0 };

  constructor(options: IncomingShardOptions) {
    this.#options = options;
    this.#position = options.from;
    this.#names = [{ mark: { position: options.from, index: Number.MAX_SAFE_INTEGER }, named: options.named }];
    this.#running = this.#receive();
  }

  get wanted(): WantedShard {
    return this.#options.wanted;
  }

  /** It has everything up to this position; before the copy is there, it may need everything after it. */
  get position(): number {
    return this.#position;
  }

  get isReceived(): boolean {
    return this.#copy !== undefined;
  }

  get status(): Omit<IncomingStatus, 'behind'> {
    const { done, total } = this.#bytes;
    const phase = this.isReceived ? 'following' : 'copying';
    return { shard: this.wanted.shard, phase, bytes: done, bytesTotal: total };
  }

  noteNames(mark: LogMark, named: NamedCollections): void {
    this.#names.push({ mark, named });
  }

  /**
   * Takes in what the log has after its position, up to one that this node has dispatched.
   * @returns false where the log had nothing of it for now
   */
  async advance(dispatched: number): Promise<boolean> {
    const { log } = this.#options;
    const lane = this.#lane;
    if (lane === undefined) return false;
    const entries = await log.read({ after: this.#position, waitMs: 0 });
    const taken = entries.filter(({ position }) => position <= dispatched);
    for (const { position, entry } of taken) this.#addToLane(lane, position, entry);
    await lane.idle();
    if (!this.#ended.signal.aborted) this.#position = taken.at(-1)?.position ?? this.#position;
    return taken.length > 0;
  }

  /** It is level with what this node has dispatched, and is read and written to from here on. */
  async serve(): Promise<void> {
    const copy = this.#copy;
    this.#copy = undefined;
    await copy?.serve();
  }

  /** Nothing of it is left. */
  async abandon(): Promise<void> {
    this.#ended.abort(new Error('the shard is not wanted here any more'));
    await this.#running;
    await this.#lane?.idle();
    const copy = this.#copy;
    this.#copy = undefined;
    await copy?.discard();
  }

  async #receive(): Promise<void> {
    const { wanted, from, receive, carryOut, clock, logger, failed } = this.#options;
    const { signal } = this.#ended;
    const progressed = (bytes: { readonly done: number; readonly total: number }) => {
      this.#bytes = bytes;
    };
    try {
      const copy = await receive({ wanted, atLeast: from, signal, progressed });
      await this.#becomePart(copy);
      this.#copy = copy;
      const { writer } = copy;
      const { position } = writer.followed.applied;
      // The entry of its mark may hold more operations than the copy has.
      this.#position = Math.max(from, position - 1);
      this.#lane = new Lane({
        collection: wanted.shard,
        // What a recovery refuses hangs on the position, and is left out before.
        catalog: { writer: () => writer, followed: () => writer.followed, recoveries: undefined },
        carryOut,
        isApplied: (_, mark) => !isAfter(mark, writer.followed.applied),
        isClosed: () => signal.aborted,
        clock,
        logger,
      });
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  /** A copy of the shard that it is made from has what falls to others as well. */
  async #becomePart(copy: ReceivedCollection): Promise<void> {
    const { place, parent } = this.wanted;
    if (parent === undefined) return;
    try {
      await copy.writer.divide(place, this.#ended.signal);
    } catch (error) {
      await copy.discard();
      throw error;
    }
  }

  #addToLane(lane: Lane, position: number, entry: Uint8Array): void {
    const { id, operations } = decodeBatch(entry);
    for (const [index, bytes] of operations.entries()) {
      const operation = decodeOperation(bytes);
      const mark = { position, index, batch: id };
      if (isCatalogOperation(operation) || !this.#isAbout(operation, mark)) continue;
      lane.add({ operation, mark, done: () => undefined });
    }
  }

  #isAbout(operation: CollectionOperation, mark: LogMark): boolean {
    const { collection, key } = this.wanted.place;
    const { aliases, recoveries } = this.#namedAt(mark);
    if ((aliases.get(operation.collection) ?? operation.collection) !== collection) return false;
    if (refusedByRecovery(operation, recoveries.get(collection)) !== undefined) return false;
    const keys = isPointOperation(operation) ? keysNamed(operation.shardKey) : undefined;
    return keys === undefined || key === undefined || keys.includes(key);
  }

  #namedAt(mark: LogMark): NamedCollections {
    return (this.#names.findLast((each) => isAfter(mark, each.mark)) ?? this.#names[0])?.named ?? this.#options.named;
  }
}
