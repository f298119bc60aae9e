// SPDX-License-Identifier: Apache-2.0
/** Points as they are returned: vectors are float32, printed in as few digits as read back to the same value. */
import type { NamedVectorOutput, PointRecord, VectorOutput, WithPayload, WithVector } from '@sextant/contracts-vector';
import { shortestFloat32 } from '@sextant/foundation-std';
import { pacedMap } from '../paced.ts';

/** Points without a score. */
export function presentRecords(points: readonly PointRecord[]): Promise<readonly PointRecord[]> {
  return pacedMap(points, presentRecord);
}

export function presentRecord<Point extends PointRecord>(point: Point): Point {
  return point.vector === undefined ? point : { ...point, vector: presentVector(point.vector) };
}

function presentVector(vector: VectorOutput): VectorOutput {
  if (isArray(vector)) return presentArray(vector);
  return Object.fromEntries(Object.entries(vector).map(([name, named]) => [name, presentNamed(named)]));
}

function presentNamed(vector: NamedVectorOutput): NamedVectorOutput {
  if (isArray(vector)) return presentArray(vector);
  return { indices: vector.indices, values: vector.values.map(shortestFloat32) };
}

type Arrays = readonly number[] | readonly (readonly number[])[];

function presentArray(vector: Arrays): Arrays {
  return isMulti(vector) ? vector.map((each) => each.map(shortestFloat32)) : vector.map(shortestFloat32);
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(vector: VectorOutput | NamedVectorOutput): vector is Arrays {
  return Array.isArray(vector);
}

function isMulti(vector: Arrays): vector is readonly (readonly number[])[] {
  return typeof vector[0] === 'object';
}

type Asked = {
  readonly with_payload?: WithPayload | null;
  readonly with_vector?: WithVector | null;
  readonly with_vectors?: WithVector | null;
};

/** What an answer shows of each point. */
export type Shown = { readonly with_payload: WithPayload; readonly with_vector: WithVector };

/** What a read returns of each point; both spellings of `with_vector` are accepted. */
export function shown(asked: Asked, fallback: { readonly payload: boolean }): Shown {
  return { with_payload: asked.with_payload ?? fallback.payload, with_vector: asked.with_vector ?? asked.with_vectors ?? false };
}
