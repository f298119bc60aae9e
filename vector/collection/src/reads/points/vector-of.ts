/** The dense vector of a point. */
import type { PointId } from '@sextant/contracts-vector';
import { DamagedError, type StorageReader } from '@sextant/vector-storage';
import type { SpaceSchema } from '../../model/vectors.ts';
import type { CollectionView } from '../view/collection-view.ts';

type Place = { readonly id: PointId; readonly row: number };

/** @throws DamagedError where the vector is of another size, or is missing though memory has it */
export function vectorOf(view: CollectionView, { ordinal, params }: SpaceSchema, { id, row }: Place): ReturnType<StorageReader['vector']> {
  const vector = view.storage.vector(ordinal, row);
  // A point need not have every vector, so a missing one is damage only where memory has it, and both are of one state.
  const isMissing = vector === undefined && view.reader(ordinal).has(row) && isLevel(view);
  if (isMissing || (vector !== undefined && vector.length !== params.size)) throw new DamagedError(`the vector of point ${id}`);
  return vector;
}

function isLevel({ gauges, storage }: CollectionView): boolean {
  return gauges.memorySequence === storage.sequence && gauges.memoryFollowing === storage.sequence;
}
