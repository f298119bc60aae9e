// SPDX-License-Identifier: Apache-2.0
/** What the writer of a collection is given. */
import type { ShardKey } from '@sextant/contracts-vector';
import type { Clock } from '@sextant/foundation-std';
import type { StorageWriter } from '@sextant/vector-storage';
import type { Log } from '../model/log.ts';
import type { MemoryBudget } from './memory-budget.ts';
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
  /** False before others read it: nobody links its rows then, so nothing waits for that. */
  readonly isServed: () => boolean;
  readonly events: WriterEvents;
  /** See `CatalogOptions`. */
  readonly moves?: ((collection: string, token: string, key: ShardKey | undefined) => Promise<unknown>) | undefined;
};
