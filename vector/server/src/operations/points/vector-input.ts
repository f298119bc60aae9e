/** Vectors as the engine wants them: plain numbers, or float32. */
import type { DenseVector, NamedVectorInput, RawSparseVector, VectorInput } from '@sextant/contracts-vector';

export type RawDense = readonly (number | bigint)[] | Float32Array;
export type RawVector = RawDense | RawSparseVector;
type RawInput = RawDense | { readonly [name: string]: RawVector };

/** What a point is written with: one unnamed vector, or named ones. */
export function vectorInput(input: RawInput): VectorInput {
  if (isDense(input)) return denseVector(input);
  return Object.fromEntries(Object.entries(input).map(([name, vector]) => [name, namedVector(vector)]));
}

export function namedVector(vector: RawVector): NamedVectorInput {
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

export function isVector(value: object): value is RawVector {
  return isDense(value) || 'indices' in value;
}
