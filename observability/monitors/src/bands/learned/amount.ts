// SPDX-License-Identifier: Apache-2.0
import type { SeriesTraits } from '../band.ts';

/** Whether values are of something that there may be any amount of: larger ones vary more, and differ more by hour and day. */
export function isAmount({ minimum, maximum }: SeriesTraits): boolean {
  return minimum === 0 && maximum === undefined;
}
