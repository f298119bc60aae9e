// SPDX-License-Identifier: Apache-2.0
/** How small a probability a band promises, and what of it each series of a family may have. */

/** Chance that some series of a family is called wrong at one scan, if its errors behave. */
export const FAMILY_ALARM_CHANCE = 0.001;

/**
 * The chance p that each of `familySize` series may have, so that the chance of any false alarm among them stays at
 * `FAMILY_ALARM_CHANCE`: 1 - (1 - p)^familySize = FAMILY_ALARM_CHANCE. Z. Sidak, "Rectangular confidence regions for the means of
 * multivariate normal distributions", JASA 62 (1967); it also holds, on the safe side, where the series move together.
 */
export function chancePerSeries(familySize: number): number {
  return -Math.expm1(Math.log1p(-FAMILY_ALARM_CHANCE) / Math.max(1, familySize));
}
