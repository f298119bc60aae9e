// SPDX-License-Identifier: Apache-2.0
/**
 * A copy of a shard becomes a part of it: what falls to other parts goes. It goes without a number, since the operations of all parts have the same ones, so
 * nobody may read the copy yet, nor what was saved of it in memory.
 */
import type { StorageTransaction } from '@sextant/vector-storage';
import { removeSavedGraphs } from '../graph/saved-graph.ts';
import type { CollectionConfig } from '../model/collection-config.ts';
import { INPUT_NORMS } from '../model/collection-documents.ts';
import { type ShardPlace, shardOfPoint } from '../model/shards.ts';
import { vectorSchemasOf } from '../model/vectors.ts';
import type { PointChanges } from './point-changes.ts';

export type DivisionOptions = {
  /** What it is to be. */
  readonly place: ShardPlace;
  /** As the shard has it that it is a copy of. */
  readonly config: CollectionConfig;
  readonly directory: string;
  /** Runs in a transaction of its own. */
  readonly change: (job: (changes: PointChanges) => void) => Promise<void>;
  readonly reconfigure: (change: (transaction: StorageTransaction) => CollectionConfig) => Promise<void>;
  readonly signal: AbortSignal;
};

/** Looked at in one transaction. */
const POINTS_PER_PAGE = 1024;

export async function divideShard({ place, config, directory, change, reconfigure, signal }: DivisionOptions): Promise<void> {
  for (let fromRow: number | undefined = 0; fromRow !== undefined; ) {
    signal.throwIfAborted();
    const first: number = fromRow;
    await change((changes) => {
      fromRow = removeForeign(changes, place, first);
    });
  }
  await reconfigure((transaction) => {
    // What was counted since the collection was created is counted on in one of the parts.
    if (place.index !== config.shard?.index) transaction.putDocument(INPUT_NORMS, undefined);
    const params = place.key === undefined ? { ...config.params, shard_number: place.count } : config.params;
    return { ...config, params, shard: place };
  });
  // They have rows that are gone, and no number says so.
  for (const { ordinal } of vectorSchemasOf(config).spaces) removeSavedGraphs(directory, ordinal, { kept: [] });
}

/** As far as one page goes; answers where the next one begins, if there is one. */
function removeForeign(changes: PointChanges, { index, count }: ShardPlace, fromRow: number): number | undefined {
  const page = changes.transaction.points({ fromRow, limit: POINTS_PER_PAGE });
  for (const { row, point } of page) if (shardOfPoint(point.id, count) !== index) changes.remove(row);
  const last = page.at(-1);
  return last === undefined || page.length < POINTS_PER_PAGE ? undefined : last.row + 1;
}
