// SPDX-License-Identifier: Apache-2.0
/**
 * Days on which offices are closed in some larger country, by rules that hold for every year. Which country a series lives in is not known at first, so on
 * a holiday of any of them a workday may look like a Sunday. A series that works on the holidays of a country does not live there, and is
 * excused on none of them any more. (Sources: the public holidays of the United States, the United Kingdom, Germany, France, Spain, Italy and Canada,
 * as their laws name them in 2026.)
 */

import { DAY_MS, isWeekend } from './calendar.ts';
import type { KeptNumbers } from './kept-numbers.ts';

/** The nth such weekday (0 is Sunday) of a month (from 0); the last one where n is 0. */
type Moving = { readonly month: number; readonly weekday: number; readonly nth: number };
/** Months and days, days from Easter Sunday, and moving ones. */
type Rules = { readonly fixed: string; readonly fromEaster: readonly number[]; readonly moving: readonly Moving[] };
/** Nearly everybody rests on `national` holidays; the others are those of a part of the country, and the eves. */
type Country = { readonly national: Rules; readonly others: Rules };

const EVES = '12-24 12-31';
const GOOD_FRIDAY = -2;
const EASTER_MONDAY = 1;
const ASCENSION = 39;
const WHIT_MONDAY = 50;
const monday = (month: number, nth: number): Moving => ({ month, weekday: 1, nth });

const COUNTRIES: readonly Country[] = [
  {
    national: {
      fixed: '01-01 07-04 12-25',
      fromEaster: [],
      moving: [monday(4, 0), monday(8, 1), { month: 10, weekday: 4, nth: 4 }],
    },
    others: {
      fixed: `06-19 11-11 ${EVES}`,
      fromEaster: [],
      moving: [monday(0, 3), monday(1, 3), monday(9, 2), { month: 10, weekday: 5, nth: 4 }],
    },
  },
  {
    national: { fixed: '01-01 12-25 12-26', fromEaster: [GOOD_FRIDAY, EASTER_MONDAY], moving: [monday(4, 1), monday(4, 0), monday(7, 0)] },
    others: { fixed: `01-02 ${EVES}`, fromEaster: [], moving: [monday(7, 1)] },
  },
  {
    national: { fixed: '01-01 05-01 10-03 12-25 12-26', fromEaster: [GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY], moving: [] },
    others: { fixed: `01-06 08-15 10-31 11-01 ${EVES}`, fromEaster: [60], moving: [] },
  },
  {
    national: { fixed: '01-01 05-01 05-08 07-14 08-15 11-01 11-11 12-25', fromEaster: [EASTER_MONDAY, ASCENSION], moving: [] },
    others: { fixed: `12-26 ${EVES}`, fromEaster: [GOOD_FRIDAY, WHIT_MONDAY], moving: [] },
  },
  {
    national: { fixed: '01-01 01-06 05-01 08-15 10-12 11-01 12-06 12-08 12-25', fromEaster: [GOOD_FRIDAY], moving: [] },
    others: { fixed: `12-26 ${EVES}`, fromEaster: [-3, EASTER_MONDAY], moving: [] },
  },
  {
    national: { fixed: '01-01 01-06 04-25 05-01 06-02 08-15 11-01 12-08 12-25 12-26', fromEaster: [EASTER_MONDAY], moving: [] },
    others: { fixed: EVES, fromEaster: [], moving: [] },
  },
  {
    national: { fixed: '01-01 07-01 12-25', fromEaster: [GOOD_FRIDAY], moving: [monday(8, 1), monday(9, 2)] },
    others: { fixed: `11-11 12-26 ${EVES}`, fromEaster: [EASTER_MONDAY], moving: [monday(1, 3), monday(7, 1)] },
  },
];

/** Countries as the bits of a number. */
type Countries = number;
const ANYWHERE: Countries = 2 ** COUNTRIES.length - 1;
const NATIONAL = indexed(({ national }) => national);
const OTHERS = indexed(({ others }) => others);

/** Worked holidays that say that a series is not of a country, unless it rested on twice as many. */
const WORKED_MIN = 2;
const RESTED_SHARE = 0.5;
const COUNT_MAX = 255;
/** Scans come a little early or late. */
const NEXT_DAY_MS = 1.25 * DAY_MS;

/** Whether a workday may be quiet: a holiday in one of the countries, or a day that makes up for one, or the scan of an early hour measures it. */
export function mayBeHoliday(timeMs: number, countries: Countries = ANYWHERE): boolean {
  return (restingAt(timeMs) & countries) !== 0;
}

/** Countries that a series may live in, by the holidays on which it worked and rested. */
export class LocalHolidays {
  readonly #worked = new Uint8Array(COUNTRIES.length);
  readonly #rested = new Uint8Array(COUNTRIES.length);
  #countries = ANYWHERE;
  #workedMs = Number.NEGATIVE_INFINITY;

  mayBe(timeMs: number): boolean {
    return mayBeHoliday(timeMs, this.#countries);
  }

  /** Learns of a day that is no weekend whether it was as quiet as a Sunday. */
  learn(timeMs: number, isQuiet: boolean): void {
    if (isQuiet) this.#count(this.#rested, restingAt(timeMs));
    // Of a holiday both the day itself and the next one are known: the scan of an early hour measures the day before.
    else if (timeMs - this.#workedMs < NEXT_DAY_MS) this.#count(this.#worked, holidaysOn(timeMs - DAY_MS).national);
    this.#workedMs = isQuiet ? Number.NEGATIVE_INFINITY : timeMs;
  }

  keep(numbers: KeptNumbers): void {
    numbers.bytes(this.#worked);
    numbers.bytes(this.#rested);
    this.#countries = numbers.byte(this.#countries);
    this.#workedMs = numbers.double(this.#workedMs);
  }

  #count(counts: Uint8Array, countries: Countries): void {
    if (countries === 0) return;
    for (const index of COUNTRIES.keys()) {
      const bit = 1 << index;
      if ((countries & bit) !== 0) counts[index] = Math.min(COUNT_MAX, (counts[index] ?? 0) + 1);
      const worked = this.#worked[index] ?? 0;
      const isForeign = worked >= WORKED_MIN && worked > RESTED_SHARE * (this.#rested[index] ?? 0);
      this.#countries = isForeign ? this.#countries & ~bit : this.#countries | bit;
    }
  }
}

/** Countries in which a workday may be quiet. One on a Saturday is observed on the Friday before, one on a Sunday on the Monday after. */
function restingAt(timeMs: number): Countries {
  if (isWeekend(timeMs)) return 0;
  const observed = new Date(timeMs).getUTCDay() === 5 ? holidayAt(timeMs + DAY_MS) : 0;
  return holidayAt(timeMs) | holidayAt(timeMs - DAY_MS) | observed;
}

function holidayAt(timeMs: number): Countries {
  const { national, others } = holidaysOn(timeMs);
  return national | others;
}

/** Days that were asked for: a scan asks for the same few of every series. */
const KNOWN_DAYS = new Map<number, { readonly national: Countries; readonly others: Countries }>();
const KNOWN_DAYS_MAX = 4096;

function holidaysOn(timeMs: number): { readonly national: Countries; readonly others: Countries } {
  const day = Math.floor(timeMs / DAY_MS);
  const known = KNOWN_DAYS.get(day);
  if (known !== undefined) return known;
  if (KNOWN_DAYS.size >= KNOWN_DAYS_MAX) KNOWN_DAYS.clear();
  const keys = keysOf(timeMs);
  const found = { national: NATIONAL.of(keys), others: OTHERS.of(keys) };
  KNOWN_DAYS.set(day, found);
  return found;
}

/** The countries of each rule, by rule. */
function indexed(rulesOf: (country: Country) => Rules): { readonly of: (keys: readonly number[]) => Countries } {
  const countries = new Map<number, Countries>();
  for (const [index, country] of COUNTRIES.entries()) {
    const { fixed, fromEaster, moving } = rulesOf(country);
    const keys = [...fixed.split(' ').map(fixedKey), ...fromEaster.map(easterKey), ...moving.map(movingKey)];
    for (const key of keys) countries.set(key, (countries.get(key) ?? 0) | (1 << index));
  }
  return { of: (keys) => keys.reduce((found, key) => found | (countries.get(key) ?? 0), 0) };
}

function keysOf(timeMs: number): readonly number[] {
  const date = new Date(timeMs);
  const [month, day, weekday] = [date.getUTCMonth(), date.getUTCDate(), date.getUTCDay()];
  const easterMs = easterOf(date.getUTCFullYear());
  const isLast = new Date(timeMs + 7 * DAY_MS).getUTCMonth() !== month;
  const keys = [
    dateKey(month, day),
    easterKey(Math.floor((timeMs - easterMs) / DAY_MS)),
    movingKey({ month, weekday, nth: Math.ceil(day / 7) }),
  ];
  if (isLast) keys.push(movingKey({ month, weekday, nth: 0 }));
  return keys;
}

/** Numbers of three ranges: dates below 1000, moving holidays below 2000, and days from Easter around 3000. */
function dateKey(month: number, day: number): number {
  return 32 * month + day;
}

/** Of a month and a day. */
function fixedKey(date: string): number {
  return dateKey(Number(date.slice(0, 2)) - 1, Number(date.slice(3)));
}

function movingKey({ month, weekday, nth }: Moving): number {
  return 1000 + (7 * month + weekday) * 6 + nth;
}

function easterKey(days: number): number {
  return 3000 + days;
}

/** The anonymous Gregorian algorithm (J. Meeus, Astronomical Algorithms, 1991, chapter 8). */
function easterOf(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const skipped = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - skipped + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const day = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(day / 31) - 1, (day % 31) + 1);
}
