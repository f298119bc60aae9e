// SPDX-License-Identifier: Apache-2.0
/**
 * The deviation that is supposed of a series before it shows its own, and below which nothing counts as news.
 *
 * - Between two limits (shares in percent): 0.5 % of their distance. A value that was 100 at twenty scans may fall to 99.0 before
 *   anyone is notified, after five scans to 97.8; 99.99 is never news, 95 always is.
 * - Counts (nothing but integers so far): half of one, or 1 % where that is more; one unit more or less is never news.
 * - Anything else: 1 % of what is expected.
 */
import type { SeriesTraits } from '../band.ts';

const SHARE_OF_RANGE = 0.005;
const SHARE_OF_VALUE = 0.01;
const HALF_A_UNIT = 0.5;
/** Sums of floating-point numbers in another order differ by less. */
const SMALLEST = 1e-6;

type Traits = Pick<SeriesTraits, 'minimum' | 'maximum'>;

/** Deviation of the prior. */
export function toleratedDeviation(expected: number, { minimum, maximum }: Traits, isCount: boolean): number {
  if (minimum !== undefined && maximum !== undefined) return (maximum - minimum) * SHARE_OF_RANGE;
  return Math.max(Math.abs(expected) * SHARE_OF_VALUE, isCount ? HALF_A_UNIT : SMALLEST);
}

/** A band is at least this wide, on either side. */
export function narrowest(isCount: boolean): number {
  return isCount ? 1 : 0;
}
