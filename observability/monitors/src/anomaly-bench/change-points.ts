// SPDX-License-Identifier: Apache-2.0
/** What the service's alarms say of changes, decided at each value without those after it. */

import { productJudge } from './product-judge.ts';

/** After so few values an alarm belongs to the change before. */
const APART = 8;
/** The points of a series count as daily scans, whatever their distance was. */
const DAY_MS = 86_400_000;

export function changesFoundIn(values: readonly (number | null)[]): readonly number[] {
  const { judge, learn } = productJudge();
  const changes: number[] = [];
  let isAlarmed = false;
  for (const [place, value] of values.entries()) {
    if (value === null) continue;
    const timeMs = place * DAY_MS;
    const { isViolation, surprise } = judge(timeMs, value);
    learn(timeMs, value);
    // The first alarm of several in a row tells the change: nobody knows yet whether it will last. A drift says since when.
    const begun = surprise?.sinceMs === undefined ? place : surprise.sinceMs / DAY_MS;
    if (isViolation && !isAlarmed && begun - (changes.at(-1) ?? Number.NEGATIVE_INFINITY) > APART) changes.push(begun);
    isAlarmed = isViolation;
  }
  return changes;
}
