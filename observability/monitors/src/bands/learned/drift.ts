// SPDX-License-Identifier: Apache-2.0
/**
 * Shifts and slow drifts of a daily series, which each value alone leaves plausible: two cumulative sums (E. S. Page, "Continuous Inspection Schemes",
 * Biometrika 41, 1954) of what the values differ from a long reference, by weekday, in its deviations. The latest two weeks are not in the reference, and
 * nothing joins it while a sum is high, so that a drift cannot pull it along. A series that moves by itself, or like a random walk, has no level to
 * drift from, and nothing is said of it.
 */
import { DAYS, dayOfWeek } from './calendar.ts';

/** Half of the shift that is found soonest, in deviations; more while the reference is short, by two of its standard errors. */
const ALLOWANCE = 0.25;
const ALLOWED_ERRORS = 3;
/** By Siegmund's approximation (Sequential Analysis, 1985), some 60,000 values to a false alarm. */
const THRESHOLD = 18;
/** Above this share of the threshold something is under way. */
const SUSPICION = 1 / 3;
const STEP_MAX = 4;
const DELAY = 14;
/** Scans that the new level of a sudden shift is known by. */
const RESTARTED_WITH = 4;
const REFERENCE_MIN = 15;
/** After so many scans a shift is the new level. */
const ACCEPTED_AFTER = 14;
/** Fitted again when it is so many times as long. */
const FITTED_EVERY = 1.1;
const SLOPE_MAX = 3.5;
const CORRELATION_MAX = 0.3;

type Point = { readonly timeMs: number; readonly value: number };
type Reference = { readonly expect: (timeMs: number) => number; readonly deviation: number; readonly allowance: number };

export class Drift {
  #reference: Point[] = [];
  #fitted: Reference | undefined;
  /** Length of the reference when it was fitted. */
  #fittedTo = 0;
  #young: Point[] = [];
  #above = 0;
  #below = 0;
  #aboveSinceMs: number | undefined;
  #belowSinceMs: number | undefined;
  #alarms = 0;
  readonly #threshold: number;

  constructor(familySize: number) {
    this.#threshold = THRESHOLD + Math.log(Math.max(1, familySize)) / (2 * ALLOWANCE);
  }

  /** Times of the first values of the sums above and below; undefined where there is nothing to sum. */
  get sinceMs(): { readonly above: number | undefined; readonly below: number | undefined } {
    return { above: this.#aboveSinceMs, below: this.#belowSinceMs };
  }

  /** What the next value may be; undefined where nothing is said. `least` is the smallest deviation. */
  boundsAt(timeMs: number, least: number): { readonly lower: number; readonly upper: number } | undefined {
    if (this.#fitted === undefined) return undefined;
    const { expect, deviation, allowance } = this.#fitted;
    const reach = (sum: number) => {
      const steps = Math.max(allowance, this.#threshold + allowance - sum);
      return steps >= STEP_MAX ? Number.POSITIVE_INFINITY : steps * Math.max(least, deviation);
    };
    return { lower: expect(timeMs) - reach(this.#below), upper: expect(timeMs) + reach(this.#above) };
  }

  learn(timeMs: number, value: number, least: number): void {
    if (this.#fitted !== undefined) {
      const { expect, deviation, allowance } = this.#fitted;
      const step = Math.max(-STEP_MAX, Math.min(STEP_MAX, (value - expect(timeMs)) / Math.max(least, deviation)));
      this.#above = Math.min(this.#threshold + STEP_MAX, Math.max(0, this.#above + step - allowance));
      this.#below = Math.min(this.#threshold + STEP_MAX, Math.max(0, this.#below - step - allowance));
      this.#aboveSinceMs = this.#above === 0 ? undefined : (this.#aboveSinceMs ?? timeMs);
      this.#belowSinceMs = this.#below === 0 ? undefined : (this.#belowSinceMs ?? timeMs);
    }
    const highest = Math.max(this.#above, this.#below);
    this.#alarms = highest >= this.#threshold ? this.#alarms + 1 : 0;
    this.#young.push({ timeMs, value });
    if (this.#alarms >= ACCEPTED_AFTER) this.restart(ACCEPTED_AFTER);
    else if (this.#young.length > DELAY && highest < SUSPICION * this.#threshold) this.#grow();
  }

  /** Again, from what came since the shift: the latest `scans`. */
  restart(scans = RESTARTED_WITH): void {
    this.#reference = [];
    this.#fitted = undefined;
    this.#fittedTo = 0;
    this.#young = this.#young.slice(-scans);
    this.#above = 0;
    this.#below = 0;
    this.#aboveSinceMs = undefined;
    this.#belowSinceMs = undefined;
    this.#alarms = 0;
  }

  #grow(): void {
    this.#reference.push(...this.#young.splice(0, this.#young.length - DELAY));
    const count = this.#reference.length;
    if (count < REFERENCE_MIN || count < FITTED_EVERY * this.#fittedTo) return;
    this.#fitted = fit(this.#reference);
    this.#fittedTo = count;
  }
}

/** Means by weekday around the mean, and the deviation of what is left; undefined for what has no level. */
function fit(points: readonly Point[]): Reference | undefined {
  const count = points.length;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / count;
  const sums = new Float64Array(DAYS);
  const counts = new Float64Array(DAYS);
  for (const { timeMs, value } of points) {
    const day = dayOfWeek(timeMs);
    sums[day] = (sums[day] ?? 0) + value - mean;
    counts[day] = (counts[day] ?? 0) + 1;
  }
  const expect = (timeMs: number) => {
    const day = dayOfWeek(timeMs);
    return mean + (counts[day] === 0 ? 0 : (sums[day] ?? 0) / (counts[day] ?? 1));
  };
  const freedom = count - counts.filter((each) => each > 0).length;
  if (freedom < 1) return undefined;
  const errors = points.map(({ timeMs, value }) => value - expect(timeMs));
  const squares = errors.reduce((sum, error) => sum + error * error, 0);
  const products = errors.slice(1).reduce((sum, error, index) => sum + error * (errors[index] ?? 0), 0);
  const correlation = squares === 0 ? 0 : products / squares;
  if (correlation > CORRELATION_MAX || isSloped(errors, squares)) return undefined;
  // Neighbours that are alike make sums larger: the deviation is that of the long run.
  const longRun = Math.sqrt((1 + Math.max(0, correlation)) / (1 - Math.max(0, correlation)));
  const allowance = ALLOWANCE + ALLOWED_ERRORS / Math.sqrt(count);
  return { expect, allowance, deviation: longRun * Math.sqrt(squares / freedom) * Math.sqrt(1 + DAYS / count) };
}

function isSloped(errors: readonly number[], squares: number): boolean {
  const middle = (errors.length - 1) / 2;
  let products = 0;
  let places = 0;
  for (const [index, error] of errors.entries()) {
    products += (index - middle) * error;
    places += (index - middle) ** 2;
  }
  const slope = products / places;
  const left = Math.max(0, squares - slope * products);
  return Math.abs(slope) > SLOPE_MAX * Math.sqrt(left / Math.max(1, errors.length - 2) / places);
}
