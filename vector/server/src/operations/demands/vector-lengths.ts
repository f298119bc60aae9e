// SPDX-License-Identifier: Apache-2.0
/** How long the vectors of a body are that have no length of their own in the configuration: lists of vectors, and sparse ones. */
import type { VectorLength } from '@sextant/vector-collection';

/** @param inColumns whether each value holds a list of vectors, one for each point, or the vector of a point */
export function* vectorLengths(values: readonly unknown[], { inColumns }: { readonly inColumns: boolean }): Generator<VectorLength> {
  for (const value of values) {
    for (const [name, each] of namedValues(value)) {
      if (!inColumns) yield* lengthOf(name, each);
      else if (Array.isArray(each)) for (const vector of each) yield* lengthOf(name, vector);
    }
  }
}

/** Of one unnamed value, or of an object of named ones. */
function namedValues(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return isArray(value) || isSparse(value) ? [['', value]] : Object.entries(value);
}

function* lengthOf(name: string, vector: unknown): Generator<VectorLength> {
  if (typeof vector !== 'object' || vector === null) return;
  if (isSparse(vector)) yield { kind: 'sparse', name, length: vector.indices.length };
  else if (Array.isArray(vector) && typeof vector[0] === 'object') yield { kind: 'multi', name, length: vector.length };
}

function isArray(value: object): boolean {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function isSparse(value: object): value is { readonly indices: readonly number[] } {
  return 'indices' in value && 'values' in value && Array.isArray(value.indices);
}
