// SPDX-License-Identifier: Apache-2.0
/** Times on the wire: ISO 8601, UTC, milliseconds. */

const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** The same instant in UTC with milliseconds, or undefined where the text is no date. Without an offset it is UTC; without a time, midnight. */
export function parseTimestamp(written: string): string | undefined {
  const match = FORM.exec(written);
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const date = `${year}-${month}-${day}`;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const milliseconds = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  // `Date.parse` takes 30 February for 1 March.
  if (Number.isNaN(milliseconds) || !new Date(`${date}T00:00:00.000Z`).toISOString().startsWith(date)) return undefined;
  return new Date(milliseconds).toISOString();
}
