/** Vectors on their way between the wire and a space: names, dimensions, normalisation, scores. */
import type { DenseVector, Distance, VectorInput, VectorOutput, VectorParams } from '@sextant/contracts-vector';
import { ServiceError } from '@sextant/contracts-vector';
import { pooledFloat32 } from '@sextant/foundation-std';
import type { Components, Metric } from '@sextant/vector-kernel';
import { type CollectionConfig, UNNAMED, vectorsByName } from './collection-config.ts';
import { datatypeOf, inDatatype } from './datatype.ts';

/** One vector of a collection: its name, its number in storage and its parameters. */
export type SpaceSchema = { readonly name: string; readonly ordinal: number; readonly params: VectorParams };

/** A point's vectors ready to be stored, by the space's ordinal. */
export type StoredVectors = ReadonlyMap<number, Components>;

export function spacesOf(config: CollectionConfig): readonly SpaceSchema[] {
  return [...vectorsByName(config.params.vectors)].map(([name, params], ordinal) => ({ name, ordinal, params }));
}

/** The space that a request names; `undefined` and the empty string name the unnamed one. */
export function spaceNamed(spaces: readonly SpaceSchema[], name: string | null | undefined): SpaceSchema {
  const space = spaces.find((candidate) => candidate.name === (name ?? UNNAMED));
  if (space === undefined) throw new ServiceError('vector_name_unknown', { vector: name ?? '(unnamed)' });
  return space;
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

/** Checks the dimension, normalises where the distance is Cosine, and converts to the vector's datatype. */
export function storedVector(params: VectorParams, values: DenseVector): Components {
  if (values.length !== params.size) {
    throw new ServiceError('dimension_mismatch', { expected: params.size, actual: values.length });
  }
  if (params.distance !== 'Cosine' || datatypeOf(params) === 'uint8') {
    return inDatatype(params, values instanceof Float32Array ? values : new Float32Array(values));
  }
  // A copy: the caller's stays as it is.
  const vector = pooledFloat32(values.length);
  vector.set(values);
  normalise(vector);
  return inDatatype(params, vector);
}

/** All vectors of a point; a name that the collection does not have is refused. */
export function storedVectors(spaces: readonly SpaceSchema[], input: VectorInput): StoredVectors {
  const named: readonly (readonly [string, DenseVector])[] = isUnnamedInput(input) ? [[UNNAMED, input]] : Object.entries(input);
  return new Map(
    named.map(([name, values]) => {
      const space = spaceNamed(spaces, name);
      return [space.ordinal, storedVector(space.params, values)];
    }),
  );
}

/** Vectors as they are returned: an array for a collection with the one unnamed vector, else a map of those that the point has. */
export function returnedVectors(spaces: readonly SpaceSchema[], vectorOf: (ordinal: number) => Components | undefined): VectorOutput {
  const named: [string, number[]][] = [];
  for (const space of spaces) {
    const vector = vectorOf(space.ordinal);
    if (vector !== undefined && space.name === UNNAMED) return Array.from(vector);
    if (vector !== undefined) named.push([space.name, Array.from(vector)]);
  }
  return Object.fromEntries(named);
}

function isUnnamedInput(input: VectorInput): input is DenseVector {
  return Array.isArray(input) || input instanceof Float32Array;
}

/** A zero vector stays zero: it is equally far from everything. */
function normalise(vector: Float32Array): void {
  let squares = 0;
  // By index: an iterator takes seven times as long.
  for (let index = 0; index < vector.length; index++) {
    const value = vector[index] ?? 0;
    squares += value * value;
  }
  if (squares === 0) return;
  const scale = 1 / Math.sqrt(squares);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
}
