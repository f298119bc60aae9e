// SPDX-License-Identifier: Apache-2.0
/** What of a history teaches. */
import type { SeriesPoint } from './band.ts';

export type PastPoint = { readonly timeMs: number; readonly value: number };
/** What a series is taught, and the times of the points that people excluded from all of its history. */
export type TaughtPoints = { readonly points: readonly PastPoint[]; readonly excluded: readonly number[] };
export type PastPoints = (history: readonly SeriesPoint[]) => readonly PastPoint[];

/** What a null value counts as: nothing, zero, or the mean of the considered values before it (nothing where there are none). */
export type ExtrapolationStrategy = 'IGNORE' | 'ZERO' | 'AVERAGE';

/** The newest `limit` points that nobody excluded, with their gaps filled as `strategy` says; gaps that are ignored do not count. */
export function pastPointsBy({ strategy, limit }: { readonly strategy: ExtrapolationStrategy; readonly limit: number }): PastPoints {
  return (history) => {
    // From the end, since a series may have years of history.
    let first = history.length;
    for (let count = 0; first > 0 && count < limit; ) {
      first -= 1;
      const point = history[first];
      if (point !== undefined && teaches(point, strategy)) count += 1;
    }
    const newest = history.slice(first);
    if (strategy === 'IGNORE') return newest.every(isTeaching) ? newest : newest.filter(isTeaching);
    return filled(
      newest.filter((point) => teaches(point, strategy)),
      strategy,
    );
  };
}

/** Their times. */
export function excludedFrom(history: readonly SeriesPoint[]): readonly number[] {
  const times: number[] = [];
  for (const point of history) if (point.isExcluded) times.push(point.timeMs);
  return times;
}

function teaches({ value, isExcluded }: SeriesPoint, strategy: ExtrapolationStrategy): boolean {
  return !isExcluded && (value === null ? strategy !== 'IGNORE' : Number.isFinite(value));
}

function isTeaching(point: SeriesPoint): point is SeriesPoint & PastPoint {
  return teaches(point, 'IGNORE');
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
