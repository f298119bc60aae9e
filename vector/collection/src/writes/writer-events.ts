// SPDX-License-Identifier: Apache-2.0
/** What the writer of a collection has others know. */
import type { CollectionHandle } from '../model/collection-handle.ts';

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
