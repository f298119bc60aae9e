// SPDX-License-Identifier: Apache-2.0
/**
 * Recovery by writes: a new collection is created as the snapshot's was, and gets its field indexes, its shard keys and its points one write after the other. That is how
 * a snapshot comes to all nodes of a cluster, by way of their log, and how one of several shards becomes a collection with any number of them. Everything is checked before
 * the first write; where one fails, the collection goes again.
 */
import { ServiceError, type ShardKey, type SnapshotKey } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import type { OperationRunner, Recovery } from '../model/write-operation.ts';
import type { ImportedSnapshot } from './imported-parts.ts';
import { openStoredCollection, type StoredCollection } from './stored-collection.ts';

/** Makes a key of a collection that a recovery makes, and its shards on nodes that are there. */
export type MakeShardKey = (collection: string, key: SnapshotKey, recovery: string) => Promise<unknown>;

export type WrittenRecovery = {
  /** The name of the new collection. */
  readonly collection: string;
  readonly imported: ImportedSnapshot;
  /** Until it has ended, the collection is known not to be whole. */
  readonly recovery: Recovery;
  readonly runner: OperationRunner;
  /** Where keys can divide points. */
  readonly makeShardKey: MakeShardKey | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/** Writes under way at a time; a log takes those that wait together. */
const WRITES_MAX = 16;

/** @throws ServiceError `collection_exists`, `recovery_ended`, or what a write is refused with */
export async function recoverByWrites({ collection, imported, recovery, runner, makeShardKey, signal }: WrittenRecovery): Promise<void> {
  const { definition, keys, parts } = imported;
  {
    using stored = openStoredCollection(definition);
    await runner.onCatalog({ kind: 'create_collection', collection, request: stored.request, recovery });
  }
  const { id } = recovery;
  const end = (isDone: boolean) => runner.onCatalog({ kind: 'end_recovery', collection, id, isDone });
  try {
    await createFieldIndexes({ collection, recovery: id }, definition, runner);
    for (const key of keys) {
      signal.throwIfAborted();
      assert(makeShardKey !== undefined, 'a snapshot with keys is refused where there can be none');
      await makeShardKey(collection, key, id);
    }
    for (const { directory, shardKey } of parts) {
      using stored = openStoredCollection(directory);
      await writePoints({ collection, recovery: id, shardKey }, stored, { runner, signal });
    }
    if (!(await end(true))) throw new ServiceError('recovery_ended', { collection });
  } catch (error) {
    // Where this cannot be said now, it is said later: see `Recoveries`.
    const wasRunning = await end(false).catch(() => true);
    // Somebody has deleted it meanwhile, and perhaps made another one of its name: that is why.
    if (!wasRunning) throw new ServiceError('recovery_ended', { collection }, { cause: error });
    throw error;
  }
}

/** What each of its writes names. */
type Target = { readonly collection: string; readonly recovery: string };

async function createFieldIndexes(target: Target, part: string, runner: OperationRunner): Promise<void> {
  using stored = openStoredCollection(part);
  for (const { field, schema } of stored.fieldIndexes) await runner.onCollection({ kind: 'create_field_index', ...target, field, schema });
}

async function writePoints(
  { shardKey, ...target }: Target & { readonly shardKey: ShardKey | undefined },
  stored: StoredCollection,
  { runner, signal }: Pick<WrittenRecovery, 'runner' | 'signal'>,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  let failure: { readonly error: unknown } | undefined;
  for (const points of stored.points()) {
    signal.throwIfAborted();
    if (failure !== undefined) break;
    const write = runner
      .onCollection({ kind: 'upsert', ...target, points, ...(shardKey === undefined ? {} : { shardKey }) })
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(write));
    running.add(write);
    if (running.size === WRITES_MAX) await Promise.race(running);
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}
