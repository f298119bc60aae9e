// SPDX-License-Identifier: Apache-2.0
/** Values outside the dictionary that a column makes itself: a few values that occur again and again, and, far below them, values that occur once or twice. */
import type { ColumnValues } from './column-values.ts';
import { isNumber } from './patterns.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** The dictionary's rarest word is so many times as frequent as any value outside of it: a long tail has no such gap. */
const GAP = 10;
const WORDS_MAX = 100;
const OUTSIDE_COUNT_MAX = 2;
const OUTSIDE_SHARE_MAX = 0.05;

export function outsideDictionary({ values, present, isWhole }: ColumnValues): readonly ValueSuspicion[] {
  // Counts and amounts have no dictionary.
  if (!isWhole || values.every(({ value, count }) => count <= OUTSIDE_COUNT_MAX || isNumber(value))) return [];
  const at = values.findIndex(({ count }, index) => {
    const before = values[index - 1]?.count;
    return before !== undefined && count <= OUTSIDE_COUNT_MAX && before >= GAP * count;
  });
  if (at < 1 || at > WORDS_MAX) return [];
  const outside = values.slice(at);
  if (outside.reduce((sum, { count }) => sum + count, 0) > OUTSIDE_SHARE_MAX * present) return [];
  const reason = `one of ${outside.length} values outside of the ${at} that recur in the column`;
  return outside.map(({ value }) => ({ detector: 'dictionary' as const, value, score: 0.6, reason }));
}
