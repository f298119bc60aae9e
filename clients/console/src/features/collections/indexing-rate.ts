// SPDX-License-Identifier: Apache-2.0
/** How fast vectors get into the graph, from what was seen so far. */
import { systemClock } from '@sextant/foundation-std';
import { useRef } from 'react';

export type Seen = { readonly atMs: number; readonly indexed: number };

/** Over this time, so that one slow look does not count for much. */
const WINDOW_MS = 15_000;

/** Vectors a second; undefined until two looks differ. */
export function rateOf(seen: readonly Seen[]): number | undefined {
  const [first, last] = [seen[0], seen.at(-1)];
  if (first === undefined || last === undefined || last.atMs === first.atMs || last.indexed <= first.indexed) return undefined;
  return ((last.indexed - first.indexed) * 1000) / (last.atMs - first.atMs);
}

/** What is kept when one looks again: what is within the window, from the start if the count fell. */
export function seenWith(seen: readonly Seen[], now: Seen): readonly Seen[] {
  const last = seen.at(-1);
  if (last?.indexed === now.indexed) return seen;
  if (last !== undefined && now.indexed < last.indexed) return [now];
  return [...seen.filter(({ atMs }) => now.atMs - atMs <= WINDOW_MS), now];
}

export function useIndexingRate(indexed: number): number | undefined {
  const seen = useRef<readonly Seen[]>([]);
  seen.current = seenWith(seen.current, { atMs: systemClock.monotonicMs(), indexed });
  return rateOf(seen.current);
}
