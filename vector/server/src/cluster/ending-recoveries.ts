// SPDX-License-Identifier: Apache-2.0
/** A recovery that died with an earlier run of this node has left a part of a collection on all nodes: it goes by way of the log once the node is there again. */
import type { Catalog, CatalogOperation, Log, Snapshots } from '@sextant/vector-collection';

export type EndingRecoveriesOptions = {
  readonly node: string;
  readonly catalog: Pick<Catalog, 'recoveries'>;
  readonly snapshots: Pick<Snapshots, 'isRecovering'>;
  /** Puts an operation into the log. */
  readonly submit: (operation: CatalogOperation) => Promise<unknown>;
  readonly log: Log;
};

/** @returns what is to be called again and again */
export function endingRecoveries({ node, catalog, snapshots, submit, log }: EndingRecoveriesOptions): () => void {
  const ending = new Set<string>();

  return () => {
    for (const recovery of catalog.recoveries.unfinished()) {
      const { id, collection } = recovery;
      if (recovery.node !== node || snapshots.isRecovering(id) || ending.has(id)) continue;
      ending.add(id);
      void end(collection, id).finally(() => ending.delete(id));
    }
  };

  async function end(collection: string, id: string): Promise<void> {
    try {
      await submit({ kind: 'end_recovery', collection, id, isDone: false });
      log.warn({ collection }, 'the recovery of the collection was interrupted when this node stopped: its data are removed');
    } catch (error) {
      log.info({ collection, err: error }, 'the data of an interrupted recovery could not be removed yet');
    }
  }
}
