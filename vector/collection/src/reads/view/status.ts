// SPDX-License-Identifier: Apache-2.0
/** How far the graphs of a collection are, what they take, and what goes on. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CollectionStatus, VectorStatus } from '@sextant/contracts-vector';
import { DATA_FILE } from '@sextant/vector-storage';
import { wantsGraph } from '../../graph/indexing-policy.ts';
import type { CollectionView } from './collection-view.ts';
import { collectionInfo } from './info.ts';

export async function collectionStatus(view: CollectionView): Promise<CollectionStatus> {
  const { size } = await stat(join(view.directory, DATA_FILE));
  return statusOf(view, { storageBytes: size });
}

/** @param storageBytes what the file of the storage has */
export function statusOf(view: CollectionView, { storageBytes }: { readonly storageBytes: number }): CollectionStatus {
  const { gauges } = view;
  const { status, optimizer_status, points_count, indexed_vectors_count, update_queue } = collectionInfo(view);
  const vectors = Object.fromEntries(view.spaces.map((space) => [space.name, vectorStatus(view, space.ordinal)]));
  const { rebuilding } = gauges;
  return {
    state: 'open',
    status,
    optimizer_status,
    points_count,
    indexed_vectors_count,
    update_queue,
    operation_id: view.storage.sequence,
    vectors,
    memory_bytes: Object.values(vectors).reduce((sum, { memory_bytes }) => sum + memory_bytes, 0),
    storage_bytes: storageBytes,
    operations: {
      optimize: gauges.optimizing ? 'running' : 'idle',
      rebuild_index: rebuilding === undefined ? 'idle' : { rows_linked: rebuilding.rows },
    },
  };
}

function vectorStatus(view: CollectionView, ordinal: number): VectorStatus {
  const reader = view.reader(ordinal);
  const params = view.spaces.find((space) => space.ordinal === ordinal)?.params;
  return {
    vectors: reader.liveCount,
    indexed: reader.indexedCount,
    pending: reader.pendingCount,
    graph: params !== undefined && wantsGraph(view.config, params, reader),
    codes: reader.codes,
    shards: reader.shards.length,
    memory_bytes: reader.bytesUsed,
  };
}
