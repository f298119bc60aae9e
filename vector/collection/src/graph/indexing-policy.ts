// SPDX-License-Identifier: Apache-2.0
/** When a space gets a graph, and when the graph is repaired. */
import type { VectorParams } from '@sextant/contracts-vector';
import type { SpaceReader } from '@sextant/vector-kernel';
import { type CollectionConfig, hnswOf, type OptimizersDefaults } from '../model/collection-config.ts';
import { vectorBytes } from '../model/datatype.ts';

/**
 * A graph pays only above `indexing_threshold` kilobytes of vectors; below, an exact scan is as quick and always right.
 * Zero switches indexing off, and so does an `m` of zero. A graph that has been begun is kept up.
 */
export function wantsGraph(
  config: CollectionConfig,
  params: VectorParams,
  reader: Pick<SpaceReader, 'liveCount' | 'indexedCount'>,
): boolean {
  const thresholdKb = config.optimizer_config.indexing_threshold;
  if (thresholdKb === 0 || hnswOf(config, params).m === 0) return false;
  return reader.indexedCount > 0 || reader.liveCount * vectorBytes(params) > thresholdKb * 1024;
}

/** Deleted rows are repaired out of the graph once their share and their number pass the configured bounds. */
export function wantsRepair(
  { deleted_threshold, vacuum_min_vector_number }: OptimizersDefaults,
  deleted: { readonly share: number; readonly count: number },
): boolean {
  return deleted.count > 0 && deleted.share > deleted_threshold && deleted.count >= vacuum_min_vector_number * deleted_threshold;
}
