// SPDX-License-Identifier: Apache-2.0
/** What the writer of a collection is given. */
import type { ShardKey } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import type { StorageWriter } from '@sextant/vector-storage';
import type { CollectionHandle } from '../model/collection-handle.ts';
import type { Log } from '../model/log.ts';
import type { MemoryBudget } from './memory-budget.ts';

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
  /** False before others read it: nobody links its rows then, so nothing waits for that. */
  readonly isServed: () => boolean;
  readonly events: WriterEvents;
  /** See `CatalogOptions`. */
  readonly moves?: ((collection: string, token: string, key: ShardKey | undefined) => Promise<unknown>) | undefined;
};

export type WriterEvents = {
  /** Other threads must know of a new configuration, field index or space before the write is acknowledged. */
  readonly changed: (handle: CollectionHandle) => Promise<void>;
  /** Resolves when no reader uses the former spaces any more. */
  readonly replaced: (handle: CollectionHandle) => Promise<void>;
  /** Resolves when every thread has the shards that the handle has more. */
  readonly grown: (handle: CollectionHandle) => Promise<void>;
  /** Resolves when no reader uses any more what the handle lacks. */
  readonly withdrawing: (handle: CollectionHandle) => Promise<void>;
  /** There are rows to index or to reclaim. */
  readonly written: (collection: string) => void;
};
