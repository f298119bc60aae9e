// SPDX-License-Identifier: Apache-2.0
/** Trains clusters between requests, in slices. Each slice holds the view by itself, so that closing a collection waits for one slice at most. */
import { ServiceError } from '@sextant/contracts-vector';
import { SpaceFullError } from '@sextant/vector-kernel';
import type { SpaceClusters, Training } from '../ivf/filter-clusters.ts';
import { type ClusterSource, trainClusters } from '../ivf/k-means.ts';
import { createPacer } from '../pacer.ts';
import type { CollectionView } from '../view/collection-view.ts';

export async function trainInBackground(view: CollectionView, clusters: SpaceClusters, source: ClusterSource): Promise<void> {
  const training: Training = {
    changed: (rows) => {
      for (const row of rows) source.intact.delete(row);
    },
  };
  clusters.begin(training);
  const steps = trainClusters(source);
  const pacer = createPacer(view.clock);
  try {
    while (clusters.awaits(training)) {
      await pacer.pause();
      const trained = await view.hold(() => {
        for (;;) {
          const step = steps.next();
          if (step.done) return step.value;
          if (pacer.due()) return undefined;
        }
      });
      if (trained !== undefined) clusters.end(training, trained);
    }
  } catch (error) {
    // Without clusters all rows are scanned. A collection that was closed, or a lack of memory, is no fault.
    clusters.end(training, undefined);
    if (!isExpected(error)) view.log.error({ err: error, collection: view.name }, 'IVF clusters for a filter could not be trained');
  }
  view.filterCache.boundClusters();
}

function isExpected(error: unknown): boolean {
  return error instanceof SpaceFullError || (error instanceof ServiceError && error.code === 'collection_deleted');
}
