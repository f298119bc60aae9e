// SPDX-License-Identifier: Apache-2.0
/** Names whose first word is an initial (`F. Worth`), in a column that writes it in full (`Fort Worth`). */
import type { ColumnValues } from './column-values.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** An initial, a point, and the words that follow. */
const SHORT = /^(\p{Lu})\. ?(\p{Lu}\p{L}.*)$/u;
const FULL = /^(\p{Lu})\p{L}+ (\p{Lu}\p{L}.*)$/u;
/** Beyond it, the column writes names in both ways. */
const SHARE_MAX = 0.35;
/** Of the rows with an initial, those whose name is there in full as well: then it is a habit, and others have it too. */
const HABIT_MIN = 0.5;
const NAMES_MAX = 2;

export function initialFaults({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const short = values.flatMap(({ value, count }) => {
    const [, initial, rest] = SHORT.exec(value) ?? [];
    return initial === undefined ? [] : [{ value, count, key: `${initial} ${rest}` }];
  });
  const rows = sum(short);
  if (rows === 0 || rows > SHARE_MAX * present) return [];
  const full = new Map<string, string[]>();
  for (const { value } of values) {
    const [, initial, rest] = FULL.exec(value) ?? [];
    if (initial === undefined) continue;
    const key = `${initial} ${rest}`;
    const names = full.get(key) ?? [];
    // A second name says that the first is not certain; more say no more.
    if (names.length < NAMES_MAX) full.set(key, [...names, value]);
  }
  const meant = short.map((each) => ({ ...each, names: full.get(each.key) ?? [] }));
  const isHabit = sum(meant.filter(({ names }) => names.length > 0)) >= HABIT_MIN * rows;
  return meant.flatMap(({ value, names }): readonly ValueSuspicion[] => {
    const [only, another] = names;
    if (only === undefined) {
      return isHabit
        ? [{ detector: 'spelling', value, score: 0.6, reason: 'its first word is an initial, which the column writes in full' }]
        : [];
    }
    const reason = `is short for "${only}", which the column has in full`;
    return [{ detector: 'spelling', value, score: 0.75, reason, ...(another === undefined ? { repair: only } : {}) }];
  });
}

function sum(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((total, { count }) => total + count, 0);
}
