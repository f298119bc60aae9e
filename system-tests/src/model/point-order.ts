// SPDX-License-Identifier: Apache-2.0
import type { PointId } from '@sextant/contracts-vector';

/** One text for each id, whatever its JavaScript type: `7` and `7n` are the same point. */
export function idKey(id: PointId): string {
  return String(id);
}

/** Integers ascending, then UUIDs ascending: the order of a scroll. */
export function compareIds(a: PointId, b: PointId): number {
  if (typeof a === 'string' || typeof b === 'string') {
    if (typeof a !== typeof b && (typeof a !== 'string' || typeof b !== 'string')) return typeof a === 'string' ? 1 : -1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
