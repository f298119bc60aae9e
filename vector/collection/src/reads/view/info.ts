// SPDX-License-Identifier: Apache-2.0
/** What a collection says of itself. */
import type { CollectionInfo, PayloadIndexInfo } from '@sextant/contracts-vector';
import { indexedPointCount } from '../../field-index/facet.ts';
import { isPlainSchema } from '../../field-index/schema.ts';
import { wantsGraph } from '../../graph/indexing-policy.ts';
import { withoutShards } from '../../model/collection-config.ts';
import { codesWarning } from '../../model/quantization.ts';
import type { CollectionView } from './collection-view.ts';

export function collectionInfo(view: CollectionView): CollectionInfo {
  const { config, gauges, readers, spaces } = view;
  const indexing = spaces.some(({ ordinal, params }) => {
    const reader = view.reader(ordinal);
    return (reader.pendingCount > 0 || reader.codes === 'learning') && wantsGraph(config, params, reader);
  });
  const warnings = spaces.flatMap((space) => codesWarning(config, space, view.reader(space.ordinal)) ?? []);
  const { places: _places, shard: _shard, ...shownConfig } = withoutShards(config);
  return {
    status: gauges.indexerFailed ? 'red' : indexing ? 'yellow' : 'green',
    optimizer_status: gauges.indexerFailed ? { error: 'The graph could not be built; see the log of the server' } : 'ok',
    indexed_vectors_count: readers.reduce((sum, reader) => sum + reader.indexedCount, 0) + sparseVectorCount(view),
    points_count: view.storage.pointCount,
    segments_count: Math.max(1, ...readers.map(({ shards }) => shards.length)),
    config: shownConfig,
    payload_schema: Object.fromEntries([...view.fieldIndexes.values()].map((index) => [index.field, indexInfo(view, index)])),
    update_queue: { length: gauges.writesWaiting },
    ...(warnings.length === 0 ? {} : { warnings: warnings.map((message) => ({ message })) }),
  };
}

/** Those that have components: each is in the lists of its indices. */
export function sparseVectorCount({ sparse, storage }: CollectionView): number {
  return sparse.reduce((sum, { ordinal }) => sum + storage.countSparseVectors(ordinal), 0);
}

function indexInfo(view: CollectionView, index: Parameters<typeof indexedPointCount>[0]): PayloadIndexInfo {
  const { schema } = index;
  // An index that was created by its type alone is described by its type alone.
  return { data_type: schema.type, ...(isPlainSchema(schema) ? {} : { params: schema }), points: indexedPointCount(index, view.storage) };
}
