// SPDX-License-Identifier: Apache-2.0
/** Vectors as the engine wants them: plain numbers, or float32. Texts have become vectors by now (`texts.ts`). */
import type {
  DenseVector,
  MultiVector,
  NamedVectorInput,
  RawDenseVector,
  RawDocument,
  RawSparseVector,
  VectorInput,
} from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';

type RawArray = RawDenseVector | readonly RawDenseVector[];
export type RawVector = RawArray | RawSparseVector | RawDocument;
type RawInput = RawArray | RawDocument | { readonly [name: string]: RawVector };

/** What a point is written with: one unnamed vector, or named ones. */
export function vectorInput(input: RawInput): VectorInput {
  if (isArray(input)) return arrayVector(input);
  assert(!isText(input), 'texts become vectors before an operation runs');
  return Object.fromEntries(Object.entries(input).map(([name, vector]) => [name, namedVector(vector)]));
}

/** A vector to be stored, or to search with. */
export function namedVector(vector: RawVector): NamedVectorInput {
  assert(!isText(vector), 'texts become vectors before an operation runs');
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

/** A vector may have the name `text`; a text is one. */
function isText(vector: object): vector is RawDocument {
  return 'text' in vector && typeof vector.text === 'string';
}

export function isVector(value: object): value is RawVector {
  return isArray(value) || 'indices' in value || 'text' in value;
}

function isMulti(vector: RawArray): vector is readonly RawDenseVector[] {
  return typeof vector[0] === 'object';
}
