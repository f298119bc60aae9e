// SPDX-License-Identifier: Apache-2.0
/**
 * Writes beside a recovery. What is being made from a snapshot takes the writes of that recovery and no others: the snapshot's points, which are older, would
 * come over newer ones, and bring back what was deleted. And they go into no other collection, whatever its name.
 */
import { ServiceError } from '@sextant/contracts-vector';
import type { CollectionOperation, PlacementOperation, WriteOperation } from './write-operation.ts';

/** Where shards are is no matter of what is in them, and compaction moves points for the collection itself. */
const BESIDE_RECOVERIES: ReadonlySet<WriteOperation['kind']> = new Set([
  'begin_transfer',
  'end_transfer',
  'drop_replica',
  'begin_resharding',
  'note_resharded',
  'abort_resharding',
  'move_points',
] as const);

/**
 * Why an operation is refused, alike on every node; undefined where it is not.
 * @param running the recovery that makes the collection at the operation's position, if one does
 */
export function refusedByRecovery(
  operation: CollectionOperation | PlacementOperation,
  running: string | undefined,
): 'collection_recovering' | 'recovery_ended' | undefined {
  const recovery = 'recovery' in operation ? operation.recovery : undefined;
  if (recovery === running) return undefined;
  if (recovery !== undefined) return 'recovery_ended';
  return BESIDE_RECOVERIES.has(operation.kind) ? undefined : 'collection_recovering';
}

/** @throws ServiceError */
export function admitBesideRecovery(
  collection: string,
  operation: CollectionOperation | PlacementOperation,
  running: string | undefined,
): void {
  const code = refusedByRecovery(operation, running);
  if (code !== undefined) throw new ServiceError(code, { collection });
}
