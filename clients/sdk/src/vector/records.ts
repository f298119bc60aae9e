// SPDX-License-Identifier: Apache-2.0
/**
 * Points of a response. JSON writes large whole components and scores as integers, which are read as `bigint`; these types convert them
 * back to numbers.
 */

import type { PointRecord, ScoredPoint } from '../contract/vector-types.ts';
import type { JsonObject } from '../json.ts';

/** A point with the payload type of its collection, which is not checked at run time. */
export type TypedRecord<Payload extends JsonObject> = Omit<PointRecord, 'payload'> & { readonly payload?: Payload | undefined };

/** A hit with the payload type of its collection. */
export type TypedHit<Payload extends JsonObject> = Omit<ScoredPoint, 'payload'> & { readonly payload?: Payload | undefined };

type Vectors = PointRecord['vector'];
type List = readonly number[] | readonly (readonly number[])[];
type NamedVector = Exclude<NonNullable<Vectors>, List>[string];

export function withNumbers<Point extends { readonly vector?: Vectors; readonly score?: number }>(point: Point): Point {
  const { vector, score } = point;
  const isWhole = typeof (score as unknown) === 'bigint';
  const plain = vector === undefined ? undefined : plainVectors(vector);
  if (!isWhole && plain === vector) return point;
  return { ...point, ...(isWhole && { score: Number(score) }), ...(plain !== undefined && { vector: plain }) };
}

function plainVectors(vectors: NonNullable<Vectors>): NonNullable<Vectors> {
  if (isList(vectors)) return plainLists(vectors);
  const names = Object.keys(vectors);
  if (names.every((name) => vectors[name] === undefined || plainVector(vectors[name]) === vectors[name])) return vectors;
  return Object.fromEntries(Object.entries(vectors).map(([name, vector]) => [name, plainVector(vector)]));
}

function plainVector(vector: NamedVector): NamedVector {
  if (isList(vector)) return plainLists(vector);
  const values = plainList(vector.values);
  return values === vector.values ? vector : { ...vector, values };
}

/** Of one vector, or of several. */
function plainLists(list: List): List {
  if (!isMulti(list)) return plainList(list);
  return list.every((vector) => plainList(vector) === vector) ? list : list.map(plainList);
}

function plainList(components: readonly number[]): readonly number[] {
  return components.some((component) => typeof (component as unknown) === 'bigint') ? components.map(Number) : components;
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(vectors: NonNullable<Vectors> | NamedVector): vectors is List {
  return Array.isArray(vectors);
}

function isMulti(list: List): list is readonly (readonly number[])[] {
  return typeof list[0] === 'object';
}
