// SPDX-License-Identifier: Apache-2.0
/**
 * Writes to collections in shards. A part of a collection knows nothing of the others, so what would refuse a write because of points is asked before the
 * write goes to the log: whether the points are there that it names. The question is asked of a state that holds all that had been acknowledged when the write
 * came. A point that goes between the question and the write is passed over: as if the write had come just before that deletion, which was under way with it.
 */
import { type CreateCollection, type PointId, type PointRecord, ServiceError, type UpdateResult } from '@sextant/contracts-vector';
import {
  type Catalog,
  checkPointOperation,
  isPointOperation,
  isShardName,
  type OperationRunner,
  type Placement,
  type PointOperation,
  PointsUncheckedError,
  pointsNeeded,
} from '@sextant/vector-collection';

export type ShardedWritesOptions = {
  /** By way of the log. */
  readonly runner: OperationRunner;
  readonly catalog: Catalog;
  /** Which nodes a new collection's shards go to; undefined for a collection in one piece. */
  readonly place: (collection: string, request: CreateCollection) => Promise<Placement | undefined>;
  /** The points of those ids that there are, as new as anything that has been acknowledged by now. */
  readonly retrieve: (collection: string, ids: readonly PointId[]) => Promise<readonly PointRecord[]>;
};

export function shardedWrites({ runner, catalog, place, retrieve }: ShardedWritesOptions): OperationRunner {
  return {
    onCatalog: async (operation) => {
      if (operation.kind !== 'create_collection') return runner.onCatalog(operation);
      const { collection, request } = operation;
      const placement = await place(collection, request);
      return runner.onCatalog(placement === undefined ? operation : { kind: 'create_sharded_collection', collection, request, placement });
    },
    onCollection: async (operation) => {
      const { collection } = operation;
      if (isShardName(collection)) throw new ServiceError('collection_not_found', { collection });
      if (!isPointOperation(operation) || pointsNeeded(operation).length === 0) return runner.onCollection(operation);
      if (catalog.isSharded(collection)) return checked(operation);
      try {
        return await runner.onCollection(operation);
      } catch (error) {
        if (!(error instanceof PointsUncheckedError)) throw error;
        // The collection, or its alias, was changed elsewhere before this node knew.
        return checked(operation);
      }
    },
  };

  async function checked(operation: PointOperation): Promise<UpdateResult> {
    await requirePoints(operation, pointsNeeded(operation));
    return runner.onCollection({ ...operation, isChecked: true });
  }

  async function requirePoints(operation: PointOperation, ids: readonly PointId[]): Promise<void> {
    const there = new Set((await retrieve(operation.collection, ids)).map(({ id }) => String(id)));
    const missing = ids.find((id) => !there.has(String(id)));
    if (missing === undefined) return;
    // A mistake in the request itself is reported first.
    checkPointOperation(catalog, operation);
    throw new ServiceError('point_not_found', { id: missing });
  }
}
