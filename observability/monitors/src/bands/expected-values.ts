// SPDX-License-Identifier: Apache-2.0
/** What people said to expect: a learned band reaches as far as such values, on the side on which they lay. */
import type { Band, SeriesPoint, SeriesTraits } from './band.ts';

/** Whoever expects a value expects one a little further off as well. */
const FURTHER_SHARE = 0.1;
/** Values before one that say on which side of the usual it lay. */
const USUAL_OF = 20;

/**
 * A learned model takes one value for next to no evidence, and it is right for what nobody has looked at. This one was looked at: it stands for all values
 * up to it, but never for the other side, which a series that has grown may come to from above.
 */
export function reachingExpected(
  band: Band,
  history: readonly SeriesPoint[],
  { minimum, maximum }: Omit<SeriesTraits, 'familySize'>,
): Band {
  const middle = middleOf(band);
  let { lower, upper } = band;
  history.forEach(({ value, isExpected, isExcluded }, index) => {
    if (isExpected !== true || isExcluded || value === null || middle === undefined) return;
    const side = Math.sign(value - middle);
    if (side * (value - (usualBefore(history, index) ?? middle)) <= 0) return;
    const reach = value + FURTHER_SHARE * (value - middle);
    if (side < 0 && lower !== null) lower = Math.max(minimum ?? Number.NEGATIVE_INFINITY, Math.min(lower, reach));
    if (side > 0 && upper !== null) upper = Math.min(maximum ?? Number.POSITIVE_INFINITY, Math.max(upper, reach));
  });
  return { lower, upper };
}

function middleOf({ lower, upper }: Band): number | undefined {
  return lower === null || upper === null ? (lower ?? upper ?? undefined) : lower + (upper - lower) / 2;
}

/** The median of those that nobody remarked on. */
function usualBefore(history: readonly SeriesPoint[], index: number): number | undefined {
  const values = history
    .slice(0, index)
    .flatMap(({ value, isExcluded, isExpected }) => (value === null || isExcluded || isExpected === true ? [] : [value]))
    .slice(-USUAL_OF)
    .sort((one, other) => one - other);
  return values[values.length >> 1];
}
