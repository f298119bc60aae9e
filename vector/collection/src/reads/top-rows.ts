// SPDX-License-Identifier: Apache-2.0
/** Merges the nearest rows of several slices: keeps the k nearest, each row once. */
import type { Neighbours } from '@sextant/vector-kernel';

export type RankedRow = { readonly row: number; readonly distance: number };

export function ranked({ rows, distances }: Neighbours): RankedRow[] {
  const list: RankedRow[] = [];
  for (let index = 0; index < rows.length; index++)
    list.push({ row: rows[index] ?? 0, distance: distances[index] ?? Number.POSITIVE_INFINITY });
  return list;
}

/** @param b in order, as `a` is */
export function mergeNearest(a: readonly RankedRow[], b: readonly RankedRow[], k: number): readonly RankedRow[] {
  if (a.length === 0 && b.length <= k) return b;
  if (b.length === 0 && a.length <= k) return a;
  return [...a, ...b].sort((left, right) => left.distance - right.distance || left.row - right.row).slice(0, k);
}
