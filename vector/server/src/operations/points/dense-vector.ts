/** Vectors as the engine wants them: plain numbers, or float32. */
import type { DenseVector, VectorInput } from '@sextant/contracts-vector';

export type RawVector = readonly (number | bigint)[] | Float32Array;
type RawInput = RawVector | { readonly [name: string]: RawVector };

/** Components of 2^53 and more that a client wrote out in digits have been read as `bigint`. */
export function denseVector(values: RawVector): DenseVector {
  if (values instanceof Float32Array) return values;
  return hasOnlyNumbers(values) ? values : values.map(Number);
}

export function vectorInput(input: RawInput): VectorInput {
  if (isVector(input)) return denseVector(input);
  return Object.fromEntries(Object.entries(input).map(([name, values]) => [name, denseVector(values)]));
}

function hasOnlyNumbers(values: readonly (number | bigint)[]): values is readonly number[] {
  return values.every((value) => typeof value === 'number');
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isVector(value: object): value is RawVector {
  return Array.isArray(value) || value instanceof Float32Array;
}
