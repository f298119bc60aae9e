/** Learns groups between requests, in slices. Each holds the view by itself, so that who ends a collection waits for no more than one of them. */
import { ServiceError } from '@sextant/contracts-vector';
import { SpaceFullError } from '@sextant/vector-kernel';
import type { CollectionView } from '../collection-view.ts';
import { createPacer } from '../pacer.ts';
import type { Learning, SpaceGroups } from './filter-groups.ts';
import { type GroupSource, learnGroups } from './group-learning.ts';

export async function learnBetween(view: CollectionView, groups: SpaceGroups, source: GroupSource): Promise<void> {
  const learning: Learning = {
    changed: (rows) => {
      for (const row of rows) source.intact.delete(row);
    },
  };
  groups.begin(learning);
  const steps = learnGroups(source);
  const pacer = createPacer(view.clock);
  try {
    while (groups.awaits(learning)) {
      await pacer.pause();
      const learned = await view.hold(() => {
        for (;;) {
          const step = steps.next();
          if (step.done) return step.value;
          if (pacer.due()) return undefined;
        }
      });
      if (learned !== undefined) groups.end(learning, learned);
    }
  } catch (error) {
    // Without groups every row is looked at: that the collection has ended, or that there is no room for them, is no fault.
    groups.end(learning, undefined);
    if (!isExpected(error)) view.log.error({ err: error, collection: view.name }, 'groups of the rows of a filter could not be learned');
  }
  view.filterCache.boundGroups();
}

function isExpected(error: unknown): boolean {
  return error instanceof SpaceFullError || (error instanceof ServiceError && error.code === 'collection_deleted');
}
