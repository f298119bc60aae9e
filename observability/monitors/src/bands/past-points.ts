// SPDX-License-Identifier: Apache-2.0
/** What of a history teaches. */
import type { SeriesPoint } from './band.ts';

export type PastPoint = { readonly timeMs: number; readonly value: number };
export type PastPoints = (history: readonly SeriesPoint[]) => readonly PastPoint[];

/** What a null value counts as: nothing, zero, or the mean of the considered values before it (nothing where there are none). */
export type ExtrapolationStrategy = 'IGNORE' | 'ZERO' | 'AVERAGE';

/** The newest `limit` points that nobody excluded, with their gaps filled as `strategy` says; gaps that are ignored do not count. */
export function pastPointsBy({ strategy, limit }: { readonly strategy: ExtrapolationStrategy; readonly limit: number }): PastPoints {
  return (history) => {
    const newest: SeriesPoint[] = [];
    // From the end, since a series may have years of history.
    for (let index = history.length - 1; index >= 0 && newest.length < limit; index -= 1) {
      const point = history[index];
      if (point !== undefined && teaches(point, strategy)) newest.push(point);
    }
    newest.reverse();
    return strategy === 'IGNORE' ? newest.filter(isMeasured) : filled(newest, strategy);
  };
}

function teaches({ value, isExcluded }: SeriesPoint, strategy: ExtrapolationStrategy): boolean {
  return !isExcluded && (value === null ? strategy !== 'IGNORE' : Number.isFinite(value));
}

function isMeasured(point: SeriesPoint): point is SeriesPoint & PastPoint {
  return point.value !== null;
}

function filled(points: readonly SeriesPoint[], strategy: Exclude<ExtrapolationStrategy, 'IGNORE'>): readonly PastPoint[] {
  const known: PastPoint[] = [];
  let sum = 0;
  for (const { timeMs, value } of points) {
    const mean = known.length === 0 ? undefined : sum / known.length;
    const filling = strategy === 'ZERO' ? 0 : mean;
    const taken = value ?? filling;
    if (taken === undefined) continue;
    known.push({ timeMs, value: taken });
    sum += taken;
  }
  return known;
}
