// SPDX-License-Identifier: Apache-2.0
/** A threshold in percent of the moving average. */
import type { Band, BandModel } from './band.ts';
import type { PastPoints } from './past-points.ts';
import { bandModel } from './ready-band.ts';

/** One point has no average to drift from. */
const POINTS_MIN = 2;

/** Lowest and highest drift, 100 * (value - mean) / mean, null where any will do. */
export type DriftLimits = { readonly lowest: number | null; readonly highest: number | null };

export function createRelativeBand(pastPoints: PastPoints, limits: DriftLimits): BandModel {
  return bandModel((history) => {
    const values = pastPoints(history).map(({ value }) => value);
    return values.length < POINTS_MIN ? undefined : { band: () => bandAround(values, limits) };
  });
}

/**
 * The values whose drift lies inside the limits. A negative mean turns the bounds around: of -100, a drift of +10 % is -110. Zero has no
 * percentages: after nothing but zeros only a zero has not drifted, and where positive and negative values cancel there is no band.
 */
function bandAround(values: readonly number[], { lowest, highest }: DriftLimits): Band | undefined {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (!Number.isFinite(mean) || (mean === 0 && values.some((value) => value !== 0))) return undefined;
  const at = (drift: number | null) => (drift === null ? null : mean * (1 + drift / 100));
  return mean < 0 ? { lower: at(highest), upper: at(lowest) } : { lower: at(lowest), upper: at(highest) };
}
