// SPDX-License-Identifier: Apache-2.0
/** A collection as the catalog has it under its name. */
import type { CollectionWriter } from './collection-writer.ts';
import type { RegistryEntry } from './collections-registry.ts';

export type Entry =
  | { readonly kind: 'live'; readonly registered: RegistryEntry; readonly writer: CollectionWriter }
  | { readonly kind: 'failed'; readonly registered: RegistryEntry; readonly reason: string }
  | { readonly kind: 'creating' }
  | { readonly kind: 'deleting' };
