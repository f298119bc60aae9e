// SPDX-License-Identifier: Apache-2.0
/**
 * Recovery by writes: a new collection is created as the snapshot's was, and gets its field indexes and points one write after the other. That is how a snapshot
 * comes to all nodes of a cluster, by way of their log, and how one of several shards becomes a collection with any number of them. Everything is checked before
 * the first write; where one fails, the collection goes again.
 */
import { ServiceError } from '@sextant/contracts-vector';
import type { OperationRunner } from '../model/write-operation.ts';
import { openStoredCollection, type StoredCollection } from './stored-collection.ts';

export type WrittenRecovery = {
  /** The name of the new collection. */
  readonly collection: string;
  /** Checked parts, each a directory with a store of its own; they hold different points. */
  readonly parts: readonly string[];
  readonly runner: OperationRunner;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/** Writes under way at a time; a log takes those that wait together. */
const WRITES_MAX = 16;

/** @throws ServiceError `collection_exists`, or what a write is refused with */
export async function recoverByWrites({ collection, parts, runner, signal }: WrittenRecovery): Promise<void> {
  const [first] = parts;
  if (first === undefined) throw new ServiceError('snapshot_invalid', { reason: 'the file is not usable: it has no part' });
  {
    using stored = openStoredCollection(first);
    await runner.onCatalog({ kind: 'create_collection', collection, request: stored.request });
  }
  try {
    await createFieldIndexes(collection, first, runner);
    for (const part of parts) {
      using stored = openStoredCollection(part);
      await writePoints(collection, stored, { runner, signal });
    }
  } catch (error) {
    await runner.onCatalog({ kind: 'delete_collection', collection }).catch(() => undefined);
    throw error;
  }
}

/** Every part has the same. */
async function createFieldIndexes(collection: string, part: string, runner: OperationRunner): Promise<void> {
  using stored = openStoredCollection(part);
  for (const { field, schema } of stored.fieldIndexes) await runner.onCollection({ kind: 'create_field_index', collection, field, schema });
}

async function writePoints(
  collection: string,
  stored: StoredCollection,
  { runner, signal }: Pick<WrittenRecovery, 'runner' | 'signal'>,
): Promise<void> {
  const running = new Set<Promise<unknown>>();
  let failure: { readonly error: unknown } | undefined;
  for (const points of stored.points()) {
    signal.throwIfAborted();
    if (failure !== undefined) break;
    const write = runner
      .onCollection({ kind: 'upsert', collection, points })
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
