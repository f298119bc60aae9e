/** Vectors as the engine wants them: plain numbers. */
import type { VectorInput } from '@sextant/contracts-vector';

export type RawVector = readonly (number | bigint)[];
type RawInput = RawVector | { readonly [name: string]: RawVector };

/** Components of 2^53 and more that a client wrote out in digits have been read as `bigint`. */
export function denseVector(values: RawVector): readonly number[] {
  return hasOnlyNumbers(values) ? values : values.map(Number);
}

export function vectorInput(input: RawInput): VectorInput {
  if (isArray(input)) return denseVector(input);
  return Object.fromEntries(Object.entries(input).map(([name, values]) => [name, denseVector(values)]));
}

function hasOnlyNumbers(values: RawVector): values is readonly number[] {
  return values.every((value) => typeof value === 'number');
}

/** `Array.isArray` does not narrow readonly arrays. */
function isArray(input: RawInput): input is RawVector {
  return Array.isArray(input);
}
