/** What of a history teaches. */
import type { SeriesPoint } from './band.ts';

export type PastPoint = { readonly timeMs: number; readonly value: number };
export type PastPoints = (history: readonly SeriesPoint[]) => readonly PastPoint[];

/** What a null value counts as: nothing, zero, or the mean of the values before it (nothing where there are none). */
export type ExtrapolationStrategy = 'IGNORE' | 'ZERO' | 'AVERAGE';

/** The newest `limit` points that nobody excluded, with their gaps filled as `strategy` says. */
export function pastPointsBy({ strategy, limit }: { readonly strategy: ExtrapolationStrategy; readonly limit: number }): PastPoints {
  return (history) => {
    const known: PastPoint[] = [];
    let sum = 0;
    for (const { timeMs, value, isExcluded } of history) {
      if (isExcluded) continue;
      const filled = value ?? filling(strategy, known.length === 0 ? undefined : sum / known.length);
      if (filled === undefined || !Number.isFinite(filled)) continue;
      known.push({ timeMs, value: filled });
      sum += filled;
    }
    return known.slice(-limit);
  };
}

function filling(strategy: ExtrapolationStrategy, mean: number | undefined): number | undefined {
  switch (strategy) {
    case 'IGNORE':
      return undefined;
    case 'ZERO':
      return 0;
    case 'AVERAGE':
      return mean;
  }
}
