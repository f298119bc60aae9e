/** Vectors as the engine wants them: plain numbers, or float32. Texts become sparse vectors here, so the engine knows vectors alone. */
import {
  type DenseVector,
  type MultiVector,
  type NamedVectorInput,
  type RawDenseVector,
  type RawDocument,
  type RawSparseVector,
  ServiceError,
  type VectorInput,
} from '@sextant/contracts-vector';
import { bm25Document, bm25Query } from '@sextant/vector-collection';

/** Characters of a text to search with: other requests of the thread wait while it is taken apart, for some tens of milliseconds at most. */
const QUERY_LENGTH_MAX = 20_000;

type RawArray = RawDenseVector | readonly RawDenseVector[];
export type RawVector = RawArray | RawSparseVector | RawDocument;
type RawInput = RawArray | { readonly [name: string]: RawVector };

/** What a point is written with: one unnamed vector, or named ones. */
export function vectorInput(input: RawInput): VectorInput {
  if (isArray(input)) return arrayVector(input);
  return Object.fromEntries(Object.entries(input).map(([name, vector]) => [name, namedVector(vector)]));
}

/** A vector to be stored; a text is one to be found. */
export function namedVector(vector: RawVector): NamedVectorInput {
  return isText(vector) ? bm25Document(vector.text, vector.options ?? {}) : givenVector(vector);
}

/** A vector to search with; a text is one to find others by. */
export function queryVector(vector: RawVector): NamedVectorInput {
  if (!isText(vector)) return givenVector(vector);
  const { text, options } = vector;
  if (text.length > QUERY_LENGTH_MAX) {
    const reason = `text: expected at most ${QUERY_LENGTH_MAX} characters to search with, got ${text.length}; a text that is stored may be longer`;
    throw new ServiceError('invalid_request', { reason });
  }
  return bm25Query(text, options ?? {});
}

function givenVector(vector: RawArray | RawSparseVector): NamedVectorInput {
  return isArray(vector) ? arrayVector(vector) : { indices: vector.indices, values: denseVector(vector.values) };
}

/** One vector, or several. */
export function arrayVector(vector: RawArray): DenseVector | MultiVector {
  return isMulti(vector) ? vector.map(denseVector) : denseVector(vector);
}

/** Components of 2^53 and more that a client wrote out in digits have been read as `bigint`. */
function denseVector(values: RawDenseVector): DenseVector {
  if (values instanceof Float32Array) return values;
  return hasOnlyNumbers(values) ? values : values.map(Number);
}

function hasOnlyNumbers(values: readonly (number | bigint)[]): values is readonly number[] {
  return values.every((value) => typeof value === 'number');
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(value: object): value is RawArray {
  return Array.isArray(value) || value instanceof Float32Array;
}

function isText(vector: RawVector): vector is RawDocument {
  return 'text' in vector;
}

export function isVector(value: object): value is RawVector {
  return isArray(value) || 'indices' in value || 'text' in value;
}

function isMulti(vector: RawArray): vector is readonly RawDenseVector[] {
  return typeof vector[0] === 'object';
}
