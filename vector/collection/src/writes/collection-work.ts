// SPDX-License-Identifier: Apache-2.0
/** What all work on a collection beside its writes is given. */
import type { Clock } from '@sextant/foundation-std';
import type { StorageWriter } from '@sextant/vector-storage';
import type { CollectionGauges } from '../model/collection-handle.ts';
import type { Log } from '../model/log.ts';
import type { CollectionMemory, Replacement } from './collection-memory.ts';

export type CollectionWork = {
  readonly storage: StorageWriter;
  readonly memory: CollectionMemory;
  readonly gauges: CollectionGauges;
  /** Replaces the spaces that every thread uses, one replacement after the other, and has everybody know. */
  readonly replace: (make: () => Promise<Replacement | undefined> | Replacement) => Promise<void>;
  readonly isClosed: () => boolean;
  readonly log: Log;
  readonly clock: Clock;
};
