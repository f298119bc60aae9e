// SPDX-License-Identifier: Apache-2.0
/** The vectors of a point, as they are stored. */
import { type PointId, ServiceError } from '@sextant/contracts-vector';
import { DamagedError, type SpaceKind, type StorageReader } from '@sextant/vector-storage';
import { vectorLabel } from '../../model/collection-config.ts';
import type { SparseSchema } from '../../model/sparse-vectors.ts';
import { type SpaceSchema, wasWritten } from '../../model/vectors.ts';
import type { CollectionView } from '../view/collection-view.ts';

type Place = { readonly id: PointId; readonly row: number };

/** @throws DamagedError where the vector is of another size, or is missing though memory has it or it was written with the point */
export function vectorOf(view: CollectionView, schema: SpaceSchema, { id, row }: Place): ReturnType<StorageReader['vector']> {
  const vector = view.storage.vector(schema.ordinal, row);
  if (vector === undefined) {
    // A point need not have every vector; memory counts where both are of one state.
    if (view.reader(schema.ordinal).has(row) && isLevel(view)) throw new DamagedError(`the vector of point ${id}`);
    refuseLost(view, 'dense', schema, { id, row });
  } else if (vector.length !== schema.params.size) throw new DamagedError(`the vector of point ${id}`);
  return vector;
}

/** The vectors of a multivector, joined. @throws DamagedError where they are missing though they were written with the point */
export function multiVectorOf(view: CollectionView, schema: SpaceSchema, place: Place): ReturnType<StorageReader['vector']> {
  const vectors = view.storage.vector(schema.ordinal, place.row);
  if (vectors === undefined) refuseLost(view, 'dense', schema, place);
  return vectors;
}

/** @throws DamagedError where the vector is missing though it was written with the point */
export function sparseVectorOf(view: CollectionView, schema: SparseSchema, place: Place): ReturnType<StorageReader['sparseVector']> {
  const vector = view.storage.sparseVector(schema.ordinal, place.row);
  if (vector === undefined) refuseLost(view, 'sparse', schema, place);
  return vector;
}

/** The stored vector of a point that a search names. @param read one of the functions above */
export function vectorNamedBy<Schema extends { readonly name: string }, Vector>(
  view: CollectionView,
  schema: Schema,
  id: PointId,
  read: (view: CollectionView, schema: Schema, place: Place) => Vector | undefined,
): { readonly query: Vector; readonly row: number } {
  const row = view.storage.rowOf(id);
  if (row === undefined) throw new ServiceError('point_not_found', { id });
  const query = read(view, schema, { id, row });
  if (query !== undefined) return { query, row };
  throw new ServiceError('invalid_request', { reason: `query: point ${id} has no vector ${vectorLabel(schema.name)}` });
}

function refuseLost({ storage }: CollectionView, kind: SpaceKind, schema: SpaceSchema | SparseSchema, { id, row }: Place): void {
  const point = storage.point(row);
  if (point !== undefined && wasWritten(kind, schema, point)) throw new DamagedError(`the vector of point ${id}`);
}

function isLevel({ gauges, storage }: CollectionView): boolean {
  return gauges.memorySequence === storage.sequence && gauges.memoryFollowing === storage.sequence;
}
