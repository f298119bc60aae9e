// SPDX-License-Identifier: Apache-2.0
/** Vectors on their way between the wire and a space: names, dimensions, normalisation, scores. */
import {
  type DenseVector,
  type Distance,
  type MultiVector,
  type NamedVectorInput,
  type NamedVectorOutput,
  ServiceError,
  type SparseVector,
  type VectorInput,
  type VectorOutput,
  type VectorParams,
} from '@sextant/contracts-vector';
import { pooledFloat32 } from '@sextant/foundation-std';
import type { Components, Metric } from '@sextant/vector-kernel';
import type { SpaceKind, SparseComponents, StorageReader, StoredPoint } from '@sextant/vector-storage';
import { type CollectionConfig, UNNAMED, unknownVector, vectorLabel, vectorsByName } from './collection-config.ts';
import { datatypeOf, inDatatype } from './datatype.ts';
import type { InputNorm } from './input-norms.ts';
import { isMulti, isMultiParams, joined, returnedMulti } from './multi-vectors.ts';
import { isSparse, returnedSparse, type SparseSchema, sparseVectorsOf, storedSparse } from './sparse-vectors.ts';
import { numbered, placesOf } from './vector-places.ts';

/** One dense vector of a collection: its name, its number in storage, its parameters, and which operation added it, if it came later. */
export type SpaceSchema = { readonly name: string; readonly ordinal: number; readonly params: VectorParams; readonly since?: number };

/** The vectors of a collection. */
export type VectorSchemas = {
  readonly spaces: readonly SpaceSchema[];
  /** Numbered together with the spaces. */
  readonly multi: readonly SpaceSchema[];
  readonly sparse: readonly SparseSchema[];
};

/** One vector of a collection, of any kind. */
export type NamedSchema =
  | { readonly kind: 'dense'; readonly schema: SpaceSchema }
  | { readonly kind: 'multi'; readonly schema: SpaceSchema }
  | { readonly kind: 'sparse'; readonly schema: SparseSchema };

/** A point's vectors ready to be stored, by their ordinals; those of a multivector joined to one. */
export type StoredVectors = {
  readonly dense: ReadonlyMap<number, Components>;
  readonly sparse: ReadonlyMap<number, SparseComponents>;
};

/** What a request gives of a point's vectors, with the lengths that those had which are kept at length one. */
export type GivenVectors = StoredVectors & { readonly inputNorms: readonly InputNorm[] };

export function vectorSchemasOf(config: CollectionConfig): VectorSchemas {
  return {
    spaces: spacesOf(config),
    multi: denseOf(config).filter(({ params }) => isMultiParams(params)),
    sparse: sparseVectorsOf(config),
  };
}

/** The dense vectors that are in memory. */
export function spacesOf(config: CollectionConfig): readonly SpaceSchema[] {
  return denseOf(config).filter(({ params }) => !isMultiParams(params));
}

function denseOf(config: CollectionConfig): readonly SpaceSchema[] {
  return numbered(placesOf(config).dense, vectorsByName(config.params.vectors));
}

/** Whether two vectors are of one kind: what may be changed later does not count. */
export function sameVector(a: VectorParams, b: VectorParams): boolean {
  return a.size === b.size && a.distance === b.distance && datatypeOf(a) === datatypeOf(b) && isMultiParams(a) === isMultiParams(b);
}

/** The vector that a request names; `undefined` and the empty string name the unnamed one. */
export function schemaNamed(schemas: VectorSchemas, name: string | null | undefined): NamedSchema {
  const found = knownSchema(schemas, name ?? UNNAMED);
  if (found === undefined) throw unknownVector(name);
  return found;
}

export function knownSchema({ spaces, multi, sparse }: VectorSchemas, name: string): NamedSchema | undefined {
  const dense = spaces.find((candidate) => candidate.name === name);
  if (dense !== undefined) return { kind: 'dense', schema: dense };
  const several = multi.find((candidate) => candidate.name === name);
  if (several !== undefined) return { kind: 'multi', schema: several };
  const schema = sparse.find((candidate) => candidate.name === name);
  return schema && { kind: 'sparse', schema };
}

/** Cosine is the dot product of normalised vectors; bytes cannot be normalised, and stay as they are. */
export function metricOf(params: VectorParams): Metric {
  switch (params.distance) {
    case 'Cosine':
      return datatypeOf(params) === 'uint8' ? 'cosine' : 'dot';
    case 'Dot':
      return 'dot';
    case 'Euclid':
      return 'euclid';
    case 'Manhattan':
      return 'manhattan';
  }
}

/** The score that a caller sees for a kernel distance: similarity for Cosine and Dot, true distance for the others. */
export function scoreOf(distance: Distance, kernelDistance: number): number {
  switch (distance) {
    case 'Cosine':
    case 'Dot':
      // Adding zero turns the negative zero of an orthogonal pair into zero.
      return -kernelDistance + 0;
    case 'Euclid':
      return Math.fround(Math.sqrt(kernelDistance));
    case 'Manhattan':
      return kernelDistance;
  }
}

/** A threshold is strict: only what is nearer than it passes. */
export function passesThreshold(distance: Distance, score: number, threshold: number): boolean {
  return distance === 'Cosine' || distance === 'Dot' ? score > threshold : score < threshold;
}

/**
 * Checks the dimension, normalises where the distance is Cosine, and converts to the vector's datatype.
 * @param normalised is called with the length of a vector that is kept at length one
 */
export function storedVector(params: VectorParams, values: DenseVector, normalised?: (norm: number) => void): Components {
  if (values.length !== params.size) {
    throw new ServiceError('dimension_mismatch', { expected: params.size, actual: values.length });
  }
  if (params.distance !== 'Cosine' || datatypeOf(params) === 'uint8') {
    return inDatatype(params, values instanceof Float32Array ? values : new Float32Array(values));
  }
  // A copy: the caller's stays as it is.
  const vector = pooledFloat32(values.length);
  vector.set(values);
  const norm = normalise(vector);
  normalised?.(norm);
  return inDatatype(params, vector);
}

export function hasVector(
  storage: Pick<StorageReader, 'hasVector' | 'hasSparseVector'>,
  row: number,
  { kind, schema }: NamedSchema,
): boolean {
  switch (kind) {
    case 'dense':
    case 'multi':
      return storage.hasVector(schema.ordinal, row);
    case 'sparse':
      return storage.hasSparseVector(schema.ordinal, row);
  }
}

/** All vectors of a point; a name that the collection does not have, and a vector of another kind than it has, is refused. */
export function storedVectors(schemas: VectorSchemas, input: VectorInput): GivenVectors {
  const named: readonly (readonly [string, NamedVectorInput])[] = isUnnamed(input) ? [[UNNAMED, input]] : Object.entries(input);
  const dense = new Map<number, Components>();
  const sparse = new Map<number, SparseComponents>();
  const inputNorms: InputNorm[] = [];
  for (const [name, vector] of named) {
    const { kind, schema } = schemaNamed(schemas, name);
    switch (kind) {
      case 'dense':
        dense.set(
          schema.ordinal,
          storedVector(schema.params, denseFor(name, vector), (norm) => inputNorms.push({ ordinal: schema.ordinal, norm })),
        );
        break;
      case 'multi':
        dense.set(schema.ordinal, storedMulti(schema.params, multiFor(name, vector)));
        break;
      case 'sparse':
        sparse.set(schema.ordinal, storedSparse(sparseFor(name, vector)));
        break;
    }
  }
  return { dense, sparse, inputNorms };
}

/** Each vector as it would be stored alone, one after the other. */
export function storedMulti(params: VectorParams, vectors: MultiVector): Components {
  return joined(vectors.map((vector) => storedVector(params, vector)));
}

/** The vector, where it is of the kind that the name has. */
export function denseFor(name: string, vector: NamedVectorInput): DenseVector {
  if (!isSparse(vector) && !isMulti(vector)) return vector;
  throw new ServiceError('invalid_request', {
    reason: `vector ${vectorLabel(name)}: expected a dense vector, an array of numbers, got a ${isSparse(vector) ? 'sparse one' : 'multivector'}`,
  });
}

/** As `denseFor`; one vector alone is a list of one. */
export function multiFor(name: string, vector: NamedVectorInput): MultiVector {
  if (!isSparse(vector)) return isMulti(vector) ? vector : [vector];
  throw new ServiceError('invalid_request', {
    reason: `vector ${vectorLabel(name)}: expected a multivector, an array of arrays of numbers, got a sparse vector`,
  });
}

/** As `denseFor`. */
export function sparseFor(name: string, vector: NamedVectorInput): SparseVector {
  if (isSparse(vector)) return vector;
  throw new ServiceError('invalid_request', {
    reason: `vector ${vectorLabel(name)}: expected a sparse vector, {"indices": […], "values": […]}, got a ${isMulti(vector) ? 'multivector' : 'dense one'}`,
  });
}

/** Reads the vectors of one point. */
export type VectorSource = {
  readonly vector: (ordinal: number) => Components | undefined;
  readonly sparseVector: (ordinal: number) => SparseComponents | undefined;
};

/** Vectors as they are returned: where the unnamed one is the only one as an array, else a map of those that the point has. */
export function returnedVectors({ spaces, multi, sparse }: VectorSchemas, source: VectorSource): VectorOutput {
  const named: [string, NamedVectorOutput][] = [];
  for (const { name, ordinal } of spaces) {
    const vector = source.vector(ordinal);
    if (vector !== undefined) named.push([name, Array.from(vector)]);
  }
  for (const { name, ordinal, params } of multi) {
    const vectors = source.vector(ordinal);
    if (vectors !== undefined) named.push([name, returnedMulti(params, vectors)]);
  }
  for (const { name, ordinal } of sparse) {
    const vector = source.sparseVector(ordinal);
    if (vector !== undefined) named.push([name, returnedSparse(vector)]);
  }
  const [first] = named;
  if (named.length === 1 && first?.[0] === UNNAMED && isArray(first[1])) return first[1];
  return Object.fromEntries(named);
}

function isUnnamed(input: VectorInput): input is DenseVector | MultiVector {
  return Array.isArray(input) || input instanceof Float32Array;
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isArray(vector: VectorOutput | NamedVectorOutput): vector is readonly number[] | readonly (readonly number[])[] {
  return Array.isArray(vector);
}

/** Returns the length that the vector had. A zero vector stays zero: it is equally far from everything. */
function normalise(vector: Float32Array): number {
  let squares = 0;
  // By index: an iterator takes seven times as long.
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index] ?? 0;
    squares += value * value;
  }
  const norm = Math.sqrt(squares);
  if (norm === 0) return 0;
  const scale = 1 / norm;
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
  return norm;
}

/** A vector of the collection; a number that it has got since from one that was removed is another vector. */
type Schema = { readonly ordinal: number; readonly since?: number };

/** Whether a point must have a vector, by what its record says of the time when it was written. */
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
