// SPDX-License-Identifier: Apache-2.0
/**
 * Which texts write a number or a time. Engines differ (one takes `inf`, `1_000` and 30 February in silence, the other ends the statement), so
 * a text is matched with a form of ours first, and only what no engine can refuse is cast.
 */
import type { Dialect } from '../dialect/dialect.ts';
import { portablePattern } from './regular-expression.ts';

/** A hundred digits and exponents of two stay far inside the range of a double. */
const NUMBER = '^ *[+-]?(?:[0-9]{1,100}(?:\\.[0-9]{0,100})?|\\.[0-9]{1,100})(?:[eE][+-]?[0-9]{1,2})? *$';

const LEAP_YEAR = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)';
const COMMON_DAY = '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const YEAR = '(?:[0-9]{3}[1-9]|[0-9]{2}[1-9][0-9]|[0-9][1-9][0-9]{2}|[1-9][0-9]{3})';
/** The calendar as an expression: no day that does not exist passes it. */
const DATE = `(?:${YEAR}-${COMMON_DAY}|${LEAP_YEAR}-02-29)`;
const TIME_OF_DAY = '[ T](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,6})?)?';
const OFFSET = '[+-](?:0[0-9]|1[0-4]):[0-5][0-9]';

export function writesNumber(dialect: Dialect, text: string): string {
  return dialect.regexMatches(text, portablePattern(dialect, NUMBER));
}

/** `2026-01-31`. */
export function writesDate(dialect: Dialect, text: string): string {
  return dialect.regexMatches(text, portablePattern(dialect, `^${DATE}$`));
}

/** `2026-01-31 08:00`, also with `T`, seconds, a fraction, and `Z` or an offset. */
export function writesDateTime(dialect: Dialect, text: string): string {
  return dialect.regexMatches(text, portablePattern(dialect, `^${DATE}${TIME_OF_DAY}(?:Z|${OFFSET})?$`));
}

/** The number as a double; null for any other text. */
export function numberOfText(dialect: Dialect, text: string): string {
  return `(CASE WHEN ${writesNumber(dialect, text)} THEN ${dialect.castDouble(`trim(BOTH ' ' FROM ${text})`)} END)`;
}

/** The moment as a timestamp in UTC; a text without an offset is in UTC. Null for any other text. */
export function timestampOfText(dialect: Dialect, text: string): string {
  const form = portablePattern(dialect, `^${DATE}(?:${TIME_OF_DAY}(?:Z|${OFFSET})?)?$`);
  const local = `CAST(${dialect.regexReplace(text, portablePattern(dialect, '(?:Z|[+-][0-9]{2}:[0-9]{2})$'), '')} AS TIMESTAMP)`;
  const minutes = `(CAST(substr(right(${text}, 5), 1, 2) AS INTEGER) * 60 + CAST(right(${text}, 2) AS INTEGER))`;
  const offset = `CASE substr(right(${text}, 6), 1, 1) WHEN '-' THEN -${minutes} ELSE ${minutes} END * INTERVAL '1 minute'`;
  const hasOffset = dialect.regexMatches(text, portablePattern(dialect, '[+-][0-9]{2}:[0-9]{2}$'));
  return `(CASE WHEN ${dialect.regexMatches(text, form)} THEN CASE WHEN ${hasOffset} THEN ${local} - ${offset} ELSE ${local} END END)`;
}
