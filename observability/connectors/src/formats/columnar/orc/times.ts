// SPDX-License-Identifier: Apache-2.0
/** Days and times of an ORC file: https://orc.apache.org/specification/ORCv1/#timestamp-columns */
import { TableError } from '../table.ts';
import type { OrcInteger } from './integer.ts';
import type { IntegerRuns } from './integer-runs.ts';
import { damagedOrc } from './message.ts';

const SECONDS_PER_DAY = 86_400;
const MS_PER_DAY = 1000 * SECONDS_PER_DAY;
const NS_PER_S = 1_000_000_000;
/** Seconds are counted from the beginning of 2015, where the writer was. */
const EPOCH = Date.UTC(2015, 0, 1) / 1000;
/** Of a date of JavaScript, a day less on both sides. */
const SECONDS_MAX = 8_639_999_900_000;
/** The first day of the Gregorian calendar, 15 October 1582. */
const GREGORIAN_DAY = -141_427;
/** Of 1 March 4801 BC in the Julian calendar, from which years of whole months are counted. */
const JULIAN_BEGINNING_DAY = -2_472_670;
/** Days whose offset is known; those of a table are few. */
const DAYS_MAX = 10_000;

/** Seconds of a zone's clock ahead of UTC. */
export type ZoneOffset = (second: number) => number;

export const UTC: ZoneOffset = () => 0;

export type Timestamps = {
  readonly seconds: IntegerRuns;
  readonly nanoseconds: IntegerRuns;
  readonly offset: ZoneOffset;
  readonly isHybridCalendar: boolean;
};

/** Microseconds, as the clock of the writer showed them. */
export function microsecondsReader({ seconds, nanoseconds, offset, isHybridCalendar }: Timestamps): () => bigint {
  const epoch = EPOCH - offset(EPOCH);
  return () => {
    const written = seconds.next();
    const fraction = nanosecondsOf(nanoseconds.next());
    if (typeof written === 'bigint' || Math.abs(epoch + written) > SECONDS_MAX) throw damagedOrc();
    const second = floorSecond(epoch + written, fraction);
    const clock = second + offset(second);
    const day = Math.floor(clock / SECONDS_PER_DAY);
    const shift = isHybridCalendar ? gregorianDay(day) - day : 0;
    return BigInt(clock + shift * SECONDS_PER_DAY) * 1_000_000n + BigInt(Math.floor(fraction / 1000));
  };
}

/**
 * Writers cut seconds before 1970 off towards it if the fraction has milliseconds. Those of the last second before it become the same number as those
 * of the first second behind it; every reader takes them for these.
 */
function floorSecond(second: number, nanoseconds: number): number {
  return second < 0 && nanoseconds >= 1_000_000 ? second - 1 : second;
}

/**
 * The last three bits say how many zeros were left out at the end, one less than there were. The writer of Arrow has fractions before 1970 go back from
 * their second, as integers below zero where there should be none.
 */
function nanosecondsOf(stored: OrcInteger): number {
  const value = Number(typeof stored === 'bigint' ? BigInt.asIntN(64, stored) : stored);
  const digits = Math.floor(value / 8);
  const zeros = value - 8 * digits;
  const nanoseconds = digits * (zeros === 0 ? 1 : 10 ** (zeros + 1));
  if (Math.abs(nanoseconds) >= NS_PER_S) throw damagedOrc();
  return nanoseconds;
}

/** A day that Java counts by the Julian calendar before the Gregorian one began: the day of the same name. */
export function gregorianDay(day: number): number {
  if (day >= GREGORIAN_DAY) return day;
  const days = day - JULIAN_BEGINNING_DAY;
  const years = Math.floor((4 * days + 3) / 1461);
  const dayOfYear = days - Math.floor((1461 * years) / 4);
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * month + 2) / 5);
  const date = new Date(0);
  date.setUTCFullYear(years - 4800, month + 2, dayOfMonth + 1);
  return date.getTime() / MS_PER_DAY;
}

/** @throws TableError where nobody knows the zone */
export function zoneOffset(zone: string): ZoneOffset {
  if (/^(|GMT|UTC|Z|Etc\/(GMT|UTC))$/.test(zone)) return UTC;
  const fixed = /^(?:GMT|UTC)([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (fixed !== null) {
    const [, sign, hours, minutes = '0'] = fixed;
    const seconds = Number(hours) * 3600 + Number(minutes) * 60;
    return () => (sign === '-' ? -seconds : seconds);
  }
  return byDay(offsetsOf(zone));
}

function offsetsOf(zone: string): ZoneOffset {
  const format = formatOf(zone);
  return (second) => {
    const name = format.formatToParts(second * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const parts = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
    if (parts === null) throw damagedOrc();
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = parts;
    const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? -offset : offset;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    throw new TableError(`holds times of the time zone ${JSON.stringify(timeZone)}, which is not known`);
  }
}

/** A day on which the clock is not changed has one offset. */
function byDay(offset: ZoneOffset): ZoneOffset {
  const days = new Map<number, number | 'changes'>();
  const ofDay = (day: number): number | 'changes' => {
    const [first, last] = [offset(day * SECONDS_PER_DAY), offset((day + 1) * SECONDS_PER_DAY)];
    return first === last ? first : 'changes';
  };
  return (second) => {
    const day = Math.floor(second / SECONDS_PER_DAY);
    const known = days.get(day) ?? ofDay(day);
    if (days.size >= DAYS_MAX) days.clear();
    days.set(day, known);
    return known === 'changes' ? offset(second) : known;
  };
}
