/** How far out the bounds lie: one small probability, and the quantiles that go with it. */
import { normalTail, studentTail } from './quantiles.ts';

/** Chance that some series of a family is called wrong at one scan, if its errors behave. */
export const FAMILY_ALARM_CHANCE = 0.001;

const FREEDOM_MAX = 256;

export type Tail = {
  /** Quantile of the normal distribution. */
  readonly normal: number;
  /** Quantile of Student's t; `freedom` is an integer of 3 or more. */
  readonly student: (freedom: number) => number;
};

/**
 * The chance p that each of `familySize` series may have, so that the chance of any false alarm among them stays at
 * `FAMILY_ALARM_CHANCE`: 1 - (1 - p)^familySize = FAMILY_ALARM_CHANCE. Z. Sidak, "Rectangular confidence regions for the means of
 * multivariate normal distributions", JASA 62 (1967); it also holds, on the safe side, where the series move together.
 */
export function chancePerSeries(familySize: number): number {
  return -Math.expm1(Math.log1p(-FAMILY_ALARM_CHANCE) / Math.max(1, familySize));
}

/** The quantiles that a value exceeds, on either side, with probability `p`. */
export function tailOf(p: number): Tail {
  const known = new Float64Array(FREEDOM_MAX + 1);
  const student = (freedom: number) => {
    if (freedom > FREEDOM_MAX) return studentTail(p, freedom);
    if (known[freedom] === 0) known[freedom] = studentTail(p, freedom);
    return known[freedom] ?? 0;
  };
  return { normal: normalTail(p), student };
}
