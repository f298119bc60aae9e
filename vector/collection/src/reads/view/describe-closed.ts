// SPDX-License-Identifier: Apache-2.0
/** What is to be known of a collection once it is closed. */
import type { ClosedCollection } from '../../model/closed-collection.ts';
import type { CatalogView } from './catalog-view.ts';
import { collectionFigures } from './figures.ts';
import { collectionInfo } from './info.ts';
import { inputNorms } from './input-norms.ts';
import { statusOf } from './status.ts';

/**
 * Undefined where this thread cannot read the collection.
 * @param storageBytes what the file of its storage has
 */
export function describeClosed(
  catalog: CatalogView,
  name: string,
  { storageBytes }: { readonly storageBytes: number },
): ClosedCollection | undefined {
  const view = catalog.servedView(name);
  if (view === undefined) return undefined;
  view.storage.refresh();
  const status = statusOf(view, { storageBytes });
  const vectors = Object.entries(status.vectors).map(([vector, each]) => [vector, { ...each, memory_bytes: 0 }] as const);
  return {
    name: view.name,
    config: view.config,
    info: collectionInfo(view),
    status: { ...status, state: 'released', vectors: Object.fromEntries(vectors), memory_bytes: 0 },
    figures: collectionFigures(view),
    inputNorms: inputNorms(view),
    memoryBytes: status.memory_bytes,
  };
}
