// SPDX-License-Identifier: Apache-2.0
/** Points as the checks of vectors read them, from wherever they come. */
import type { VectorCollectionAccess, VectorPoint } from '@sextant/observability-scan/vectors';
import type { NamedVectors, VectorValue } from '../points/vector-value.ts';
import { isVector } from '../points/vector-value.ts';

export type CheckedPoints = AsyncDisposable & {
  /** Read once. */
  readonly access: VectorCollectionAccess;
  /** Names of vectors that are not dense, which are not checked; known once all is read. */
  readonly notDense: () => ReadonlySet<string>;
  /** Rows that give no point; known once all is read. */
  readonly unreadable: () => UnreadableRows;
};

export type UnreadableRows = { readonly count: number; readonly first: readonly string[] };

export const UNNAMED = '';

/** The dense vectors by name; names of others are added to `notDense`. */
export function denseVectors(vector: VectorValue | NamedVectors | undefined, notDense: Set<string>): VectorPoint['vectors'] {
  if (vector === undefined) return {};
  const named: readonly (readonly [string, VectorValue])[] = isVector(vector) ? [[UNNAMED, vector]] : Object.entries(vector);
  return Object.fromEntries(
    named.flatMap(([name, value]) => {
      if (isDense(value)) return [[name, value] as const];
      notDense.add(name);
      return [];
    }),
  );
}

function isDense(vector: VectorValue): vector is readonly number[] {
  return Array.isArray(vector) && !Array.isArray(vector[0]);
}
