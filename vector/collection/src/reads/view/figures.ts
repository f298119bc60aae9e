// SPDX-License-Identifier: Apache-2.0
/** How much a collection holds, as far as it is known without reading its points. */

import { vectorBytes } from '../../model/datatype.ts';
import type { CollectionFigures } from '../../model/requests.ts';
import type { CollectionView } from './collection-view.ts';
import { sparseVectorCount } from './info.ts';

export function collectionFigures(view: CollectionView): CollectionFigures {
  return {
    points: view.storage.pointCount,
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

/** Bytes of components, and of the indices of sparse ones. A collection of a version that did not count those that differ in length has the pages of storage. */
export function bytesOfVectors(view: CollectionView): number {
  const { multi, sparse, storage } = view;
  const dense = view.spaces.reduce((sum, { ordinal, params }) => sum + view.reader(ordinal).liveCount * vectorBytes(params), 0);
  const counted = [
    ...multi.map(({ ordinal }) => storage.countedBytes('dense', ordinal)),
    ...sparse.map(({ ordinal }) => storage.countedBytes('sparse', ordinal)),
  ];
  let varying = 0;
  for (const bytes of counted) {
    if (bytes === undefined) return Math.max(dense, storage.vectorBytes);
    varying += bytes;
  }
  return dense + varying;
}

function rowsLinkedIn(view: CollectionView, ordinal: number): number {
  const linked = view.linkedRows(ordinal);
  return view.reader(ordinal).shards.reduce((sum, _, shard) => sum + (linked?.of(shard) ?? 0), 0);
}
