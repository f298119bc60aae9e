/** Merges the nearest rows of several slices: keeps the k nearest, each row once. */
import type { Neighbours } from '@sextant/vector-kernel';

export type RankedRow = { readonly row: number; readonly distance: number };

export function ranked({ rows, distances }: Neighbours): RankedRow[] {
  return Array.from(rows, (row, index) => ({ row, distance: distances[index] ?? Number.POSITIVE_INFINITY }));
}

export function mergeNearest(a: readonly RankedRow[], b: readonly RankedRow[], k: number): RankedRow[] {
  return [...a, ...b].sort((left, right) => left.distance - right.distance || left.row - right.row).slice(0, k);
}
