// SPDX-License-Identifier: Apache-2.0
/** Kinds of series as scans make them, and what goes wrong with them. */

import type { Random } from '@sextant/foundation-std';
import type { MeasuredAs } from '../product-judge.ts';

/** Gives the value of the scan at a time; undefined where there was none. */
export type Source = (timeMs: number) => number | undefined;

/** A kind of series with nothing wrong in it. */
export type Family = {
  readonly name: string;
  readonly measured: MeasuredAs;
  /** Scans of a series. */
  readonly scans: number;
  readonly everyMs: number;
  /** When its first series begins; `START_MS` where it does not matter. */
  readonly startMs?: number;
  readonly begin: (random: Random) => Source;
  /** Scans, counted from 0, at which something does change, so that an alarm is right. */
  readonly isNews?: (scan: number) => boolean;
};

/** What goes wrong with the series of a family, from one scan on. */
export type Damage = {
  readonly name: string;
  readonly family: Family;
  /** Good scans before it. */
  readonly after: number;
  /** An alarm at one of so many damaged scans finds it. */
  readonly within: number;
  /** What a damaged scan measures instead of `value`; `scan` is 0 for the first one, `last` the value of the last good one. */
  readonly damaged: (value: number, at: { readonly scan: number; readonly last: number }) => number;
};

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A Monday, two hours after midnight; series begin on different days of the week. */
export const START_MS = Date.UTC(2026, 0, 5, 2);

/** The times of the scans of a series. */
export function timeOf(
  { everyMs, startMs = START_MS }: Family,
  { series, scan }: { readonly series: number; readonly scan: number },
): number {
  return startMs + (series % 7) * DAY_MS + scan * everyMs;
}
