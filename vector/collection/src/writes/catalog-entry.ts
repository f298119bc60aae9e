// SPDX-License-Identifier: Apache-2.0
/** A collection as the catalog has it under its name. */
import type { StorageWriter } from '@sextant/vector-storage';
import type { ClosedCollection } from '../model/closed-collection.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { CollectionsRegistry, RegistryEntry } from './collections-registry.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { OwnCollections } from './placed-shards.ts';

export type Entry =
  | { readonly kind: 'live'; readonly registered: RegistryEntry; readonly writer: CollectionWriter }
  | {
      readonly kind: 'closed';
      readonly registered: RegistryEntry;
      readonly collection: ClosedCollection;
      /** What its rate limits had left when it was closed; see `RateLimits`. */
      readonly rates?: BigInt64Array;
    }
  /** Resolves when it is open, or with what keeps it from that. */
  | { readonly kind: 'opening'; readonly registered: RegistryEntry; readonly settled: Promise<Error | undefined> }
  /** Resolves when it is closed. */
  | { readonly kind: 'releasing'; readonly registered: RegistryEntry; readonly settled: Promise<undefined> }
  | {
      readonly kind: 'failed';
      readonly registered: RegistryEntry;
      readonly reason: string;
      /** By the monotonic clock, when it may be tried again. */
      readonly retryMs: number;
    }
  | { readonly kind: 'creating' }
  | { readonly kind: 'deleting' };

/** What vectors, codes and graphs of all that are served take. */
export function memoryBytesOf(entries: Iterable<Entry>): number {
  let bytes = 0;
  for (const entry of entries) if (entry.kind === 'live') bytes += entry.writer.memoryBytes;
  return bytes;
}

/** What those share who open and replace the collections of a catalog. */
export type CatalogParts = {
  readonly entries: Map<string, Entry>;
  readonly registry: CollectionsRegistry;
  readonly budget: MemoryBudget;
  readonly makeWriter: (registered: RegistryEntry, storage: StorageWriter) => CollectionWriter;
};

export type LiveEntry = Extract<Entry, { kind: 'live' }>;

/** As placements look at them. */
export function ownCollections(entries: ReadonlyMap<string, Entry>): OwnCollections {
  return {
    names: () => entries.keys(),
    has: (name) => entries.has(name),
    isLive: (name) => entries.get(name)?.kind === 'live',
    definition: (name) => {
      const entry = entries.get(name);
      return entry?.kind === 'live' ? { directory: entry.registered.directory, config: entry.writer.config } : undefined;
    },
  };
}
