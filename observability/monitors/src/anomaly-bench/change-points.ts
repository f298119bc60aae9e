// SPDX-License-Identifier: Apache-2.0
/** What the service's alarms say of changes, decided at each value without those after it. */

import { productJudge } from './product-judge.ts';

/** Alarms in a row that are a change, and no single odd value. */
const ALARMS_MIN = 2;
/** After so few values an alarm belongs to the change before. */
const APART = 8;
/** The points of a series count as daily scans, whatever their distance was. */
const DAY_MS = 86_400_000;

export function changesFoundIn(values: readonly (number | null)[]): readonly number[] {
  const { judge, learn } = productJudge();
  const changes: number[] = [];
  let alarms = 0;
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const timeMs = place * DAY_MS;
    const { isViolation, surprise } = judge(timeMs, value);
    alarms = isViolation ? alarms + 1 : 0;
    learn(timeMs, value);
    // A drift says since when.
    const begun = surprise?.sinceMs === undefined ? place - ALARMS_MIN + 1 : surprise.sinceMs / DAY_MS;
    if (alarms === ALARMS_MIN && begun - (changes.at(-1) ?? Number.NEGATIVE_INFINITY) > APART) changes.push(begun);
  }
  return changes;
}
