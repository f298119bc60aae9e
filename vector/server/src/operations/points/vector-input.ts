/** Vectors as the engine wants them: plain numbers, or float32. Texts become sparse vectors here, so the engine knows vectors alone. */
import type { DenseVector, NamedVectorInput, RawDocument, RawSparseVector, VectorInput } from '@sextant/contracts-vector';
import { bm25Document, bm25Query } from '@sextant/vector-collection';

export type RawDense = readonly (number | bigint)[] | Float32Array;
export type RawVector = RawDense | RawSparseVector | RawDocument;
type RawInput = RawDense | { readonly [name: string]: RawVector };

/** What a point is written with: one unnamed vector, or named ones. */
export function vectorInput(input: RawInput): VectorInput {
  if (isDense(input)) return denseVector(input);
  return Object.fromEntries(Object.entries(input).map(([name, vector]) => [name, namedVector(vector)]));
}

/** A vector to be stored; a text is one to be found. */
export function namedVector(vector: RawVector): NamedVectorInput {
  return isText(vector) ? bm25Document(vector.text, vector.options ?? {}) : givenVector(vector);
}

/** A vector to search with; a text is one to find others by. */
export function queryVector(vector: RawVector): NamedVectorInput {
  return isText(vector) ? bm25Query(vector.text, vector.options ?? {}) : givenVector(vector);
}

function givenVector(vector: RawDense | RawSparseVector): NamedVectorInput {
  return isDense(vector) ? denseVector(vector) : { indices: vector.indices, values: denseVector(vector.values) };
}

/** Components of 2^53 and more that a client wrote out in digits have been read as `bigint`. */
export function denseVector(values: RawDense): DenseVector {
  if (values instanceof Float32Array) return values;
  return hasOnlyNumbers(values) ? values : values.map(Number);
}

function hasOnlyNumbers(values: readonly (number | bigint)[]): values is readonly number[] {
  return values.every((value) => typeof value === 'number');
}

/** `Array.isArray` does not narrow readonly arrays. */
function isDense(value: object): value is RawDense {
  return Array.isArray(value) || value instanceof Float32Array;
}

function isText(vector: RawVector): vector is RawDocument {
  return 'text' in vector;
}

export function isVector(value: object): value is RawVector {
  return isDense(value) || 'indices' in value || 'text' in value;
}
