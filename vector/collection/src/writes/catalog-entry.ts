// SPDX-License-Identifier: Apache-2.0
/** A collection as the catalog has it under its name. */
import type { CollectionWriter } from './collection-writer.ts';
import type { RegistryEntry } from './collections-registry.ts';

export type Entry =
  | { readonly kind: 'live'; readonly registered: RegistryEntry; readonly writer: CollectionWriter }
  | { readonly kind: 'failed'; readonly registered: RegistryEntry; readonly reason: string }
  | { readonly kind: 'creating' }
  | { readonly kind: 'deleting' };

/** What vectors, codes and graphs of all that are served take. */
export function memoryBytesOf(entries: Iterable<Entry>): number {
  let bytes = 0;
  for (const entry of entries) if (entry.kind === 'live') bytes += entry.writer.memoryBytes;
  return bytes;
}
