// SPDX-License-Identifier: Apache-2.0
/** How much of the memory that there is the process holds. */
import type { Clock } from '@sextant/foundation-std';
import { memoryBytes } from '../configuration.ts';

/** The system is asked at most once in this time. */
const FRESH_MS = 500;

/** @returns the share in per cent, of the machine or, in a container, of what that may use */
export function residentMemoryPercent(
  clock: Clock,
  { resident, total }: { readonly resident: () => number; readonly total: number } = {
    resident: () => process.memoryUsage.rss(),
    total: memoryBytes(),
  },
): () => number {
  let percent = 0;
  let askedMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - askedMs >= FRESH_MS) {
      percent = (100 * resident()) / total;
      askedMs = nowMs;
    }
    return percent;
  };
}
