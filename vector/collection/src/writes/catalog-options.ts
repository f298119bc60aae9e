// SPDX-License-Identifier: Apache-2.0
/** What the catalog of a server's collections is given. */
import type { ServiceError, ShardKey } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import type { SystemStorage } from '@sextant/vector-storage';
import type { ClosedCollection } from '../model/closed-collection.ts';
import type { CatalogEvent } from '../model/collection-handle.ts';
import type { Log } from '../model/log.ts';
import type { ShardedDefinition, ShardPlace } from '../model/shards.ts';
import type { LogMark, Recovery } from '../model/write-operation.ts';
import type { CollectionWriter } from './collection-writer.ts';

export type CatalogListener = {
  /** Resolves when every other thread has taken the event in. */
  readonly event: (event: CatalogEvent) => Promise<void>;
  /** The collection has rows to index or to reclaim. */
  readonly written: (collection: string) => void;
};

export type CatalogOptions = {
  readonly dataDirectory: string;
  readonly system: SystemStorage;
  readonly log: Log;
  readonly clock: Clock;
  readonly listener: CatalogListener;
  /** Called again and again while points are written; may pause the thread for a moment. */
  readonly throttle?: () => void;
  /** Where the writes come from a log: puts an operation `move_points` there, and resolves when it has been applied. */
  readonly moves?: (collection: string, token: string, key: ShardKey | undefined) => Promise<unknown>;
  /** Hears that the log has changed credentials; the operation is done once its promise is settled. */
  readonly credentialsChanged?: (() => Promise<void>) | undefined;
  /** Without it every collection is opened at the start, and stays open. */
  readonly releasing?: Releasing | undefined;
  /** What this node is called in its cluster. */
  readonly node?: string | undefined;
} & CatalogBounds;

/** Collections are opened when they are asked for, and closed where another needs their place. */
export type Releasing = {
  /** What is known of a collection that is open, once it is closed; undefined where that cannot be said. */
  readonly describe: (name: string, file: { readonly storageBytes: number }) => ClosedCollection | undefined;
  readonly counts: OpeningCounts;
};

export type OpeningCounts = {
  opened(ms: number): void;
  released(): void;
  failed(): void;
};

export const countNoOpenings: OpeningCounts = { opened: () => undefined, released: () => undefined, failed: () => undefined };

/** Of a new collection: where in a log it comes from, what part it is of one in shards, and what is to fill it. */
export type Creation = {
  readonly mark?: LogMark | undefined;
  readonly part?: ShardedDefinition | { readonly shard: ShardPlace };
  /** What makes it from a snapshot, where that is so. */
  readonly recovery?: Recovery | undefined;
};

export type CatalogBounds = {
  /** Bytes that vectors, codes and graphs of all collections may take; without it the system decides. */
  readonly vectorMemoryBytes?: number | undefined;
  readonly collectionBound?: CollectionBound | undefined;
  /** Rows of a shard, a multiple of 32; by default as many as fit into the 4 GiB of one memory. */
  readonly rowsPerShard?: number | undefined;
};

/** How many collections can be open at a time. */
export type CollectionBound = {
  readonly max: number;
  /** The error for one collection more. */
  readonly reached: () => ServiceError;
};

/** A collection that came from elsewhere. */
export type ReceivedCollection = {
  readonly writer: CollectionWriter;
  /** From here on it is read, in the place of the one of its name. */
  serve(): Promise<void>;
  /** Nothing of it is left. */
  discard(): Promise<void>;
};
