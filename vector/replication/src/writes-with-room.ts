// SPDX-License-Identifier: Apache-2.0
/**
 * Writes to shards on nodes whose disks have room. A write that is in the log cannot be refused any more, and a node without room for it falls behind until it has
 * some; so the node that takes the write looks before at what the nodes have announced that hold a copy of what it changes. What a single node does with a full
 * disk, a shard does where any of its copies is on one; search engines with replicas do the same (Elasticsearch's flood stage).
 */
import { ServiceError } from '@sextant/contracts-vector';
import { isPointOperation, type OperationRunner, type PlacedShard, type PointOperation } from '@sextant/vector-collection';
import { partsChangedBy } from './confirmed-writes.ts';

export type WritesWithRoomOptions = {
  readonly runner: OperationRunner;
  /** The shards of a collection; undefined of one in one piece, which every node has. */
  readonly partsOf: (collection: string) => readonly Pick<PlacedShard, 'nodes' | 'place'>[] | undefined;
  /** Whether a node that is alive has said so last. */
  readonly isFull: (node: string) => boolean;
  /** Asks the log who is there now. */
  readonly meet: () => Promise<void>;
};

export function writesWithRoom({ runner, partsOf, isFull, meet }: WritesWithRoomOptions): OperationRunner {
  return {
    onCatalog: (operation) => runner.onCatalog(operation),
    onCollection: async (operation) => {
      const parts = isPointOperation(operation) && takesRoom(operation) ? partsOf(operation.collection) : undefined;
      if (parts === undefined || !isPointOperation(operation)) return runner.onCollection(operation);
      const full = () =>
        partsChangedBy(operation, parts)
          .flatMap(({ nodes }) => nodes)
          .find(isFull);
      // It may have room by now.
      if (full() !== undefined) await meet();
      const node = full();
      if (node !== undefined) throw new ServiceError('node_full', { node, collection: operation.collection });
      return runner.onCollection(operation);
    },
  };
}

/** What gives room must go on. */
function takesRoom({ kind }: PointOperation): boolean {
  switch (kind) {
    case 'upsert':
    case 'update_vectors':
    case 'set_payload':
    case 'overwrite_payload':
      return true;
    case 'delete_points':
    case 'delete_vectors':
    case 'delete_payload':
    case 'clear_payload':
    case 'move_points':
      return false;
  }
}
