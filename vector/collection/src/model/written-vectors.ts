// SPDX-License-Identifier: Apache-2.0
/** Which vectors a point must have, by what its record says of the time when it was written. */
import type { SpaceKind, StoredPoint } from '@sextant/vector-storage';
import type { VectorSchemas } from './vectors.ts';

/** A vector of the collection; a number that it has got since from one that was removed is another vector. */
type Schema = { readonly ordinal: number; readonly since?: number };

export function wasWritten(kind: SpaceKind, { ordinal, since = 0 }: Schema, { vectors, vectorVersion }: StoredPoint): boolean {
  return vectors?.[kind].includes(ordinal) === true && vectorVersion > since;
}

/** The numbers of those vectors that were written with a point and that storage does not have any more. */
export function lostVectors(
  { spaces, multi, sparse }: VectorSchemas,
  point: StoredPoint,
  stored: { readonly [Kind in SpaceKind]: ReadonlyMap<number, unknown> },
): { readonly [Kind in SpaceKind]: readonly number[] } {
  const lost = (kind: SpaceKind, schemas: readonly Schema[]): readonly number[] =>
    schemas.flatMap((schema) => (!stored[kind].has(schema.ordinal) && wasWritten(kind, schema, point) ? [schema.ordinal] : []));
  return { dense: lost('dense', [...spaces, ...multi]), sparse: lost('sparse', sparse) };
}
