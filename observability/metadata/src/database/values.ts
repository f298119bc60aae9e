// SPDX-License-Identifier: Apache-2.0
/** How values stand in columns: times as milliseconds, structures as JSON text, flags as 0 or 1. */
import { parseJson, stringifyExactly } from '@sextant/foundation-std';
import { MetadataRefused } from '../errors.ts';

const DAY_MS = 86_400_000;

/** @throws MetadataRefused for text that is no time */
export function toMs(time: string): number {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) throw new MetadataRefused(`${JSON.stringify(time)} is not an ISO 8601 time.`);
  return ms;
}

export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function toTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : toTime(ms);
}

/** The UTC day, counted from 1970-01-01. */
export function toDay(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** YYYY-MM-DD. */
export function dayName(day: number): string {
  return toTime(day * DAY_MS).slice(0, 10);
}

export function toJson(value: unknown): string {
  return stringifyExactly(value);
}

/** Reads what `toJson` of the same type wrote into the column. */
export function fromJson<Value>(text: string): Value {
  return parseJson(text) as Value;
}

export function fromJsonOrNull<Value>(text: string | null): Value | null {
  return text === null ? null : fromJson<Value>(text);
}

export function toFlag(value: boolean): number {
  return value ? 1 : 0;
}

/** A change without the members that are left out. */
export function definedOnly<Change extends object>(change: Change): Change {
  // Optional members alone are taken away.
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Change;
}

/** What names and searches are compared by, whatever the case. */
export function caseless(text: string): string {
  return text.toLowerCase();
}
