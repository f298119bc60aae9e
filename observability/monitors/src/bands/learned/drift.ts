// SPDX-License-Identifier: Apache-2.0
/**
 * Shifts and slow drifts of a daily series, which each value alone leaves plausible: two cumulative sums (E. S. Page, "Continuous Inspection Schemes",
 * Biometrika 41, 1954) of what the values differ from a long reference, by weekday, in its deviations. The latest two weeks are not in the reference, and
 * nothing joins it while a sum is high, so that a drift cannot pull it along. A series that moves by itself, or like a random walk, has no level to
 * drift from, and nothing is said of it.
 */
import { dayOfWeek } from './calendar.ts';
import { DriftReference, type Level } from './drift-reference.ts';
import { type KeptNumbers, single } from './kept-numbers.ts';

/** Half of the shift that is found soonest, in deviations; more while the reference is short, by two of its standard errors. */
const ALLOWANCE = 0.25;
const ALLOWED_ERRORS = 3;
/** By Siegmund's approximation (Sequential Analysis, 1985), some 60,000 values to a false alarm. */
const THRESHOLD = 18;
/** Above this share of the threshold something is under way. */
const SUSPICION = 1 / 3;
const STEP_MAX = 4;
const DELAY = 14;
/** While a sum is high, values wait; the oldest of more than these never join. */
const WAITING_MAX = 28;
const POINT_BYTES = 5;
/** Scans that the new level of a sudden shift is known by. */
const RESTARTED_WITH = 4;
/** After so many scans a shift is the new level. */
const ACCEPTED_AFTER = 14;

/** `day`: of the week. */
type Point = { readonly day: number; readonly value: number };
/** What a reference says, with the half of the shift that counts. */
type Fitted = Level & { readonly allowance: number };

export class Drift {
  readonly #reference = new DriftReference();
  /** Undefined where it has not been asked since it last grew, null where it says nothing. */
  #fitted: Fitted | null | undefined;
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
    const fitted = this.#fit();
    if (fitted === null) return undefined;
    const { expect, deviation, allowance } = fitted;
    const reach = (sum: number) => {
      const steps = Math.max(allowance, this.#threshold + allowance - sum);
      return steps >= STEP_MAX ? Number.POSITIVE_INFINITY : steps * Math.max(least, deviation);
    };
    return { lower: expect(timeMs) - reach(this.#below), upper: expect(timeMs) + reach(this.#above) };
  }

  learn(timeMs: number, value: number, least: number): void {
    const fitted = this.#fit();
    if (fitted !== null) {
      const { expect, deviation, allowance } = fitted;
      const step = Math.max(-STEP_MAX, Math.min(STEP_MAX, (value - expect(timeMs)) / Math.max(least, deviation)));
      this.#above = Math.min(this.#threshold + STEP_MAX, Math.max(0, this.#above + step - allowance));
      this.#below = Math.min(this.#threshold + STEP_MAX, Math.max(0, this.#below - step - allowance));
      this.#aboveSinceMs = this.#above === 0 ? undefined : (this.#aboveSinceMs ?? timeMs);
      this.#belowSinceMs = this.#below === 0 ? undefined : (this.#belowSinceMs ?? timeMs);
    }
    const highest = Math.max(this.#above, this.#below);
    this.#alarms = highest >= this.#threshold ? this.#alarms + 1 : 0;
    this.#young.push({ day: dayOfWeek(timeMs), value: single(value) });
    if (this.#alarms >= ACCEPTED_AFTER) this.restart(ACCEPTED_AFTER);
    else if (this.#young.length > DELAY && highest < SUSPICION * this.#threshold) this.#grow();
    else if (this.#young.length > WAITING_MAX) this.#young.shift();
  }

  /** Again, from what came since the shift: the latest `scans`. */
  restart(scans = RESTARTED_WITH): void {
    this.#reference.clear();
    this.#fitted = undefined;
    this.#young = this.#young.slice(-scans);
    this.#above = 0;
    this.#below = 0;
    this.#aboveSinceMs = undefined;
    this.#belowSinceMs = undefined;
    this.#alarms = 0;
  }

  keep(numbers: KeptNumbers): void {
    this.#above = numbers.double(this.#above);
    this.#below = numbers.double(this.#below);
    this.#aboveSinceMs = numbers.time(this.#aboveSinceMs);
    this.#belowSinceMs = numbers.time(this.#belowSinceMs);
    this.#alarms = numbers.byte(this.#alarms);
    this.#fitted = undefined;
    this.#reference.keep(numbers);
    const count = numbers.byte(this.#young.length);
    this.#young.length = count;
    for (let index = 0; index < count; index += 1) {
      const point = this.#young[index];
      this.#young[index] = { day: numbers.byte(point?.day ?? 0), value: numbers.single(point?.value ?? 0) };
    }
    numbers.skip(WAITING_MAX - count, POINT_BYTES);
  }

  #grow(): void {
    for (const { day, value } of this.#young.splice(0, this.#young.length - DELAY)) this.#reference.add(day, value);
    this.#fitted = undefined;
  }

  #fit(): Fitted | null {
    if (this.#fitted !== undefined) return this.#fitted;
    const level = this.#reference.level();
    const allowance = ALLOWANCE + ALLOWED_ERRORS / Math.sqrt(this.#reference.count);
    this.#fitted = level === undefined ? null : { ...level, allowance };
    return this.#fitted;
  }
}
