// SPDX-License-Identifier: Apache-2.0
/**
 * Writes to collections in shards. A part of a collection knows nothing of the others, so what would refuse a write because of points is asked before the
 * write goes to the log: whether the points are there that it names. The question is asked of a state that holds all that had been acknowledged when the write
 * came. A point that goes between the question and the write is passed over: as if the write had come just before that deletion, which was under way with it.
 */
import {
  type CreateCollection,
  type PointId,
  type PointRecord,
  ServiceError,
  type ShardKeySelector,
  type UpdateResult,
} from '@sextant/contracts-vector';
import {
  type Catalog,
  checkPointOperation,
  isPointOperation,
  isShardName,
  type OperationRunner,
  type PointOperation,
  PointsUncheckedError,
  pointsNeeded,
  selectedKeys,
} from '@sextant/vector-collection';

export type ShardedWritesOptions = {
  /** By way of the log. */
  readonly runner: OperationRunner;
  readonly catalog: Catalog;
  /** Which nodes a new collection's shards go to; undefined for a collection in one piece. */
  readonly place: (collection: string, request: CreateCollection) => Promise<readonly (readonly string[])[] | undefined>;
  /** The points of those ids that there are, as new as anything that has been acknowledged by now; where keys divide them, under some of the keys. */
  readonly retrieve: (
    collection: string,
    ids: readonly PointId[],
    shardKey: ShardKeySelector | undefined,
  ) => Promise<readonly PointRecord[]>;
  /** Resolves when this node has everything that has been acknowledged by now. */
  readonly caughtUp: () => Promise<void>;
};

export function shardedWrites({ runner, catalog, place, retrieve, caughtUp }: ShardedWritesOptions): OperationRunner {
  return {
    onCatalog: async (operation) => {
      if (operation.kind !== 'create_collection') return runner.onCatalog(operation);
      const placement = await place(operation.collection, operation.request);
      return runner.onCatalog(placement === undefined ? operation : { ...operation, kind: 'create_sharded_collection', placement });
    },
    onCollection: async (operation) => {
      const { collection } = operation;
      if (isShardName(collection)) throw new ServiceError('collection_not_found', { collection });
      const whole = catalog.nameOf(collection);
      if (operation.recovery === undefined && catalog.recoveries.of(whole) !== undefined) {
        // Such a write is refused at its position; what is known before takes no room in the log.
        await caughtUp();
        catalog.recoveries.requireWhole(whole);
      }
      if (!isPointOperation(operation)) return runner.onCollection(operation);
      const keyed = operation.shardKey === undefined ? operation : await underKnownKeys(operation, operation.shardKey);
      if (pointsNeeded(keyed).length === 0) return runner.onCollection(keyed);
      if (catalog.isSharded(collection)) return checked(keyed);
      try {
        return await runner.onCollection(keyed);
      } catch (error) {
        if (!(error instanceof PointsUncheckedError)) throw error;
        // The collection, or its alias, was changed elsewhere before this node knew.
        return checked(keyed);
      }
    },
  };

  /**
   * With the keys that there are. One that is known here may have gone elsewhere, which the definition says at the operation's position; of several, those that
   * remain would have it by then, so they are looked for in a state that has everything.
   */
  async function underKnownKeys(
    { shardKey: _shardKey, ...operation }: PointOperation,
    selector: ShardKeySelector,
  ): Promise<PointOperation> {
    const { collection } = operation;
    const look = () => {
      const keys = catalog.shardKeysOf(collection);
      return keys && selectedKeys(selector, keys);
    };
    let found = look();
    if (found === undefined || found.unknown !== undefined || found.selected.length > 1) {
      await caughtUp();
      found = look();
    }
    // Where ids divide the points, or nothing does, a key says nothing.
    if (found === undefined) return operation;
    if (found.unknown === undefined) return { ...operation, shardKey: found.selected };
    checkPointOperation(catalog, { ...operation, shardKey: found.selected });
    throw new ServiceError('shard_key_not_found', { key: JSON.stringify(found.unknown), collection });
  }

  async function checked(operation: PointOperation): Promise<UpdateResult> {
    await requirePoints(operation, pointsNeeded(operation));
    return runner.onCollection({ ...operation, isChecked: true });
  }

  async function requirePoints(operation: PointOperation, ids: readonly PointId[]): Promise<void> {
    const there = new Set((await retrieve(operation.collection, ids, operation.shardKey)).map(({ id }) => String(id)));
    const missing = ids.find((id) => !there.has(String(id)));
    if (missing === undefined) return;
    // A mistake in the request itself is reported first.
    checkPointOperation(catalog, operation);
    throw new ServiceError('point_not_found', { id: missing });
  }
}
