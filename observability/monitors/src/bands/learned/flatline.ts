// SPDX-License-Identifier: Apache-2.0
/**
 * A flatline: a value that stays exactly the same for longer than the series' own past makes likely, as where a pipeline is stuck and delivers the same file
 * again. How long values stay is learned as a life table (Cutler and Ederer, "Maximum utilization of the life table method", Journal of Chronic Diseases 8,
 * 1958): of the runs of equal values that have reached a length, how many have gone on. So a table that is scanned by the hour and delivered by the day may
 * stand still for a day, and no longer; and a value that mostly stays says nothing by staying.
 */
import type { Surprise } from '../band.ts';
import { mayBeHoliday } from './holidays.ts';
import type { KeptNumbers } from './kept-numbers.ts';
import { FAMILY_ALARM_CHANCE } from './tail.ts';

/** Runs that have ended before anything is said. */
const RUNS_MIN = 20;
/** Lengths of 1, 2, 3 to 4, 5 to 8 and so on, up to 1024. */
const BINS = 11;
/** Beta priors of so many runs: where it knows nothing, what has repeated is as likely as not to repeat again, or more where shorter runs went on more often. */
const PRIOR_RUNS = { first: 2, longer: 16 };
const PRIOR_CHANCE = 0.5;
/** A run that is longer is as likely as one of this length. */
const LENGTH_MAX = 1024;
/** Runs are counted up to a byte, and then by halves, so that old ones fade. */
const COUNT_MAX = 255;
/** Of the chance that a value may be called wrong: a run comes on top of what judges single values. */
const SHARE = 1 / 10;
/** What was found once says nothing of what is usual; again within so many values, it is a habit. */
const HABIT_VALUES = 180;
/** Of the usual time between two scans: one that comes sooner was asked for besides. */
const SOON_SHARE = 0.5;

/** When a value was measured, when the one before it, and how far apart they usually are. */
type Moment = { readonly timeMs: number; readonly lastMs: number; readonly spacingMs: number };

export class Flatline {
  static readonly BYTES = 8 + 4 + 2 * BINS + 2;
  #value = Number.NaN;
  /** Of the run of equal values that goes on. */
  #length = 0;
  readonly #reached = new Uint8Array(BINS);
  readonly #ended = new Uint8Array(BINS);
  #runs = 0;
  /** Values since a run ended that was found; 0 where there was none lately. */
  #sinceFound = 0;

  /** Undefined where a run that goes on with `value` is likelier than `chance` of a false alarm allows. */
  surpriseOf(value: number, moment: Moment, chance: number): Surprise | undefined {
    if (value !== this.#value || this.#runs < RUNS_MIN) return undefined;
    const found = this.#chanceOf(this.#length + Number(!isExcused(moment)));
    return found < SHARE * chance ? { score: -Math.log10(found), detector: 'flatline' } : undefined;
  }

  learn(value: number, moment: Moment): void {
    if (this.#sinceFound > 0) this.#sinceFound = (this.#sinceFound + 1) % HABIT_VALUES;
    if (value === this.#value) {
      if (!isExcused(moment)) this.#length = Math.min(LENGTH_MAX, this.#length + 1);
      return;
    }
    if (this.#length > 0) this.#end();
    this.#value = value;
    this.#length = 1;
  }

  keep(numbers: KeptNumbers): void {
    this.#value = numbers.double(this.#value);
    this.#length = numbers.count(this.#length);
    numbers.bytes(this.#reached);
    numbers.bytes(this.#ended);
    this.#runs = numbers.byte(this.#runs);
    this.#sinceFound = numbers.byte(this.#sinceFound);
  }

  #end(): void {
    const isFound = this.#runs >= RUNS_MIN && this.#chanceOf(this.#length) < SHARE * FAMILY_ALARM_CHANCE;
    const isHabit = this.#sinceFound > 0;
    if (isFound) this.#sinceFound = 1;
    if (isFound && !isHabit) return;
    this.#runs = Math.min(COUNT_MAX, this.#runs + 1);
    for (let bin = 0; bin < BINS && firstOf(bin) <= this.#length; bin += 1) {
      const isLast = bin === BINS - 1 || firstOf(bin + 1) > this.#length;
      let reached = (this.#reached[bin] ?? 0) + lengthsIn(bin, this.#length);
      let ended = (this.#ended[bin] ?? 0) + Number(isLast);
      for (; reached > COUNT_MAX; reached >>= 1) ended >>= 1;
      this.#reached[bin] = reached;
      this.#ended[bin] = ended;
    }
  }

  /** That a run gets so long. */
  #chanceOf(length: number): number {
    let chance = 1;
    let prior = PRIOR_CHANCE;
    for (let bin = 0; bin < BINS && firstOf(bin) < length; bin += 1) {
      const reached = this.#reached[bin] ?? 0;
      const priorRuns = bin === 0 ? PRIOR_RUNS.first : PRIOR_RUNS.longer;
      let goneOn = reached - (this.#ended[bin] ?? 0) + priorRuns * prior;
      let all = reached + priorRuns;
      prior = Math.max(PRIOR_CHANCE, goneOn / all);
      // How likely it is to go on is uncertain, and each time that it does makes the next one likelier (Polya's urn).
      for (let left = lengthsIn(bin, length - 1); left > 0; left -= 1, goneOn += 1, all += 1) chance *= goneOn / all;
    }
    return chance;
  }
}

/** A scan that was asked for besides the usual ones may find the same data, and on a holiday nothing may come. */
function isExcused({ timeMs, lastMs, spacingMs }: Moment): boolean {
  return timeMs - lastMs < SOON_SHARE * spacingMs || mayBeHoliday(timeMs);
}

/** The shortest length of a bin. */
function firstOf(bin: number): number {
  return bin === 0 ? 1 : 2 ** (bin - 1) + 1;
}

/** How many of the lengths up to one are in a bin. */
function lengthsIn(bin: number, length: number): number {
  return Math.max(0, Math.min(length, 2 ** bin) - firstOf(bin) + 1);
}
