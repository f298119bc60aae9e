// SPDX-License-Identifier: Apache-2.0
/**
 * The operations of one collection, applied in their order. Operations on points that wait together share transactions; one that changes what the
 * collection is runs alone, because how others are prepared depends on it. What could not be applied here is tried again, and all that follows waits.
 */
import type { UpdateResult } from '@sextant/contracts-vector';
import { type Clock, pause } from '@sextant/foundation-std';
import {
  type Catalog,
  type CatalogOperation,
  type CollectionOperation,
  isOwnTrouble,
  isPointOperation,
  type Log,
  type LogMark,
  type OperationTarget,
  runOnCollection,
} from '@sextant/vector-collection';
import type { Outcome } from './submissions.ts';

export type LaneItem = {
  readonly operation: CollectionOperation;
  readonly mark: LogMark;
  /** It has been carried out, or refused as it is refused everywhere. */
  readonly done: (outcome: Outcome) => void;
};

/** Carries out what the log brings. */
export type CarryOut = {
  readonly onCatalog: (operation: CatalogOperation, mark: LogMark) => Promise<boolean>;
  readonly onCollection: (operation: CollectionOperation, mark: LogMark) => Promise<UpdateResult>;
};

export type LaneOptions = {
  readonly collection: string;
  readonly catalog: OperationTarget & Pick<Catalog, 'followed'>;
  /** What an operation does to the catalog, where it is not the usual. */
  readonly carryOut?: CarryOut['onCollection'] | undefined;
  /** Whether what an operation did is on disk already. */
  readonly isApplied: (collection: string, mark: LogMark) => boolean;
  readonly isClosed: () => boolean;
  readonly clock: Clock;
  readonly logger: Log;
};

/** Operations on points that are prepared before the first of them is on disk. */
const RUN_MAX = 256;
const RETRY_PAUSES_MS = [100, 250, 500, 1000, 2500, 5000] as const;

export class Lane {
  readonly #options: LaneOptions;
  #items: LaneItem[] = [];
  #running: Promise<void> | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  add(item: LaneItem): void {
    this.#items.push(item);
    this.#running ??= this.#run();
  }

  /** Resolves when everything that was added has been carried out. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    let failures = 0;
    while (this.#items.length > 0 && !this.#options.isClosed()) {
      const run = this.#items.slice(0, this.#runLength());
      const carriedOut = await this.#carryOut(run);
      this.#items.splice(0, carriedOut);
      failures = carriedOut === run.length ? 0 : failures + 1;
      if (failures > 0) await pause(this.#options.clock, RETRY_PAUSES_MS[Math.min(failures, RETRY_PAUSES_MS.length) - 1] ?? 0);
    }
    this.#running = undefined;
  }

  #runLength(): number {
    const end = this.#items.findIndex(({ operation }, position) => position === RUN_MAX || !isPointOperation(operation));
    return end === -1 ? this.#items.length : Math.max(1, end);
  }

  /** Answers how many were carried out, from the first on. */
  async #carryOut(run: readonly LaneItem[]): Promise<number> {
    const { catalog, collection, isApplied, isClosed, logger } = this.#options;
    const outcomes = await Promise.all(run.map((item) => this.#outcomeOf(item)));
    for (const [position, item] of run.entries()) {
      const outcome = outcomes[position] ?? { error: new Error('every operation has an outcome') };
      if ('error' in outcome && isOwnTrouble(outcome.error) && !isApplied(collection, item.mark)) {
        if (!isClosed())
          logger.error({ err: outcome.error, collection, ...item.mark }, 'an operation of the log could not be applied; it is retried');
        // Those behind it have failed with it, and come again in their order.
        catalog.followed(collection)?.goOn();
        return position;
      }
      item.done(outcome);
    }
    return run.length;
  }

  async #outcomeOf({ operation, mark }: LaneItem): Promise<Outcome> {
    const { catalog, collection, isApplied, carryOut = (given, at) => runOnCollection(catalog, given, at) } = this.#options;
    // Nobody waits for what an earlier run of the service did.
    if (isApplied(collection, mark)) return { result: undefined };
    try {
      return { result: await carryOut({ ...operation, collection }, mark) };
    } catch (error) {
      return { error };
    }
  }
}
