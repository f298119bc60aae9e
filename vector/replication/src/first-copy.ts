// SPDX-License-Identifier: Apache-2.0
/**
 * A node that has nothing, while the log begins later than at its beginning: it gets collections and aliases from another node and follows the log from the
 * position where it asked for them. The marks in the copies keep it from doing anything twice. Shards come later, as those do that are missed at any time.
 */
import { type Clock, pause } from '@sextant/foundation-std';
import type { Catalog, CatalogListing, ExpectedPart, Log, ReceivedCollection } from '@sextant/vector-collection';
import type { Announcement, OperationLog } from '@sextant/vector-log';
import type { Standing, StandingStore } from './standing.ts';

/** Another node, as one that has nothing asks it. */
export type FirstSource = {
  /** Everything that there is at one position of the log, which is not before a given one. */
  list(atLeast: number): Promise<CatalogListing>;
  receive(collection: string, part: ExpectedPart, atLeast: number): Promise<ReceivedCollection>;
};

export type FirstCopyOptions = {
  readonly log: OperationLog;
  readonly catalog: Catalog;
  readonly standings: StandingStore;
  readonly source: FirstSource;
  readonly announcement: Omit<Announcement, 'applied'>;
  readonly isClosed: () => boolean;
  readonly clock: Clock;
  readonly logger: Log;
};

const RETRY_PAUSE_MS = 2000;
/** As often as any node says that it is there. */
const HEARTBEAT_MS = 2000;

/** Tries until it has come, or the service ends. */
export async function firstCopy(options: FirstCopyOptions): Promise<Standing | undefined> {
  const { log, standings, announcement, isClosed, clock, logger } = options;
  while (!isClosed()) {
    const { id, last } = await log.describe();
    const announce = () => log.announce({ ...announcement, applied: last });
    // From here on the log keeps what comes after.
    await announce();
    const heartbeat = clock.every(HEARTBEAT_MS, () => void announce().catch(() => undefined));
    try {
      // Where this ends half-way, the next start begins again.
      standings.put({ log: id, applied: 0, isPartial: true });
      await copyAll(options, last);
      return { log: id, applied: last };
    } catch (error) {
      if (!isClosed()) logger.warn({ err: error }, 'the collections of the cluster could not be copied to this node; the copy is retried');
    } finally {
      heartbeat.cancel();
    }
    await pause(clock, RETRY_PAUSE_MS);
  }
  return undefined;
}

/** A collection that goes meanwhile fails it: what other operations made of that is known only where it was there. */
async function copyAll({ catalog, source, logger }: FirstCopyOptions, from: number): Promise<void> {
  await catalog.clear();
  const listing = await source.list(from);
  for (const { name, isSharded } of listing.collections) {
    const received = await source.receive(name, isSharded ? 'definition' : 'whole', from);
    await received.serve();
    logger.info({ collection: name }, 'a collection was copied from another node');
  }
  await catalog.adopt(listing);
}
