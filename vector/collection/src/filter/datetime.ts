// SPDX-License-Identifier: Apache-2.0
/** Dates as filters and indexes compare them: microseconds since 1970-01-01T00:00:00Z. */
import { canonicalNumber } from './clause.ts';

const DATETIME = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,18}))?)?\s?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/;

/**
 * Parses RFC 3339, and what is often written for it: a date alone, a space for the `T`, no seconds, no zone (then UTC).
 * Digits beyond the microsecond are cut. Answers a bigint where the count leaves the safe integers (years from 2255 on, and before 1685);
 * undefined for anything else, days that the month does not have included.
 */
export function parseDatetime(text: string): number | bigint | undefined {
  const parts = DATETIME.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', , sign, zoneHour = 0, zoneMinute = 0] = parts;
  const days = daysFromEpoch(Number(year), Number(month), Number(day));
  // A leap second (60) is the first second of the next minute.
  const valid = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60 && Number(zoneHour) < 24 && Number(zoneMinute) < 60;
  if (days === undefined || !valid) return undefined;
  const zoneSeconds = (sign === '-' ? -1 : 1) * (Number(zoneHour) * 3600 + Number(zoneMinute) * 60);
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - zoneSeconds;
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  const total = seconds * 1_000_000 + micros;
  return Number.isSafeInteger(total) ? total : canonicalNumber(BigInt(seconds) * 1_000_000n + BigInt(micros));
}

function daysFromEpoch(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 86_400_000 : undefined;
}
