/** How much a collection holds, as far as it is known without reading its points. */

import { vectorBytes } from '../../model/datatype.ts';
import type { CollectionFigures } from '../../model/requests.ts';
import type { CollectionView } from './collection-view.ts';
import { sparseVectorCount } from './info.ts';

export function collectionFigures(view: CollectionView): CollectionFigures {
  return {
    vectors: vectorCount(view),
    vectorBytes: bytesOfVectors(view),
    payloadBytes: view.storage.pointBytes,
    rowsLinked: view.spaces.reduce((sum, { ordinal }) => sum + rowsLinkedIn(view, ordinal), 0),
  };
}

/** Multivectors are left out: storage does not count them. */
export function vectorCount(view: CollectionView): number {
  return view.readers.reduce((sum, { liveCount }) => sum + liveCount, 0) + sparseVectorCount(view);
}

/** Components of dense vectors, counted in bytes; of sparse vectors and multivectors, whose lengths vary, the pages that storage has for them. */
export function bytesOfVectors(view: CollectionView): number {
  const dense = view.spaces.reduce((sum, { ordinal, params }) => sum + view.reader(ordinal).liveCount * vectorBytes(params), 0);
  if (view.multi.length === 0 && view.sparse.length === 0) return dense;
  return Math.max(dense, view.storage.vectorBytes);
}

function rowsLinkedIn(view: CollectionView, ordinal: number): number {
  const linked = view.linkedRows(ordinal);
  return view.reader(ordinal).shards.reduce((sum, _, shard) => sum + (linked?.of(shard) ?? 0), 0);
}
