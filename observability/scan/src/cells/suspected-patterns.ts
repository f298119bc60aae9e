// SPDX-License-Identifier: Apache-2.0
/** From rare patterns to the values that have them. */
import type { ValueCount } from './column-values.ts';
import type { PatternShare } from './patterns.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** A pattern is usual from here on where patterns vary by nature: the lengths of codes, the case of letters. */
export const STRICT = 0.95;
/** Rows below which nothing is called usual. */
export const FEW = 10;

export function suspects(
  values: readonly ValueCount[],
  patternOf: (value: string) => string,
  rare: readonly PatternShare[],
  say: (share: PatternShare) => { readonly score: number; readonly reason: string },
): readonly ValueSuspicion[] {
  const byPattern = new Map(rare.map((share) => [share.pattern, say(share)]));
  return values.flatMap(({ value }) => {
    const said = byPattern.get(patternOf(value));
    return said === undefined ? [] : [{ detector: 'format' as const, value, ...said }];
  });
}
