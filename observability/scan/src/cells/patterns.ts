// SPDX-License-Identifier: Apache-2.0
/**
 * Values as patterns, in the generalization languages of Auto-Detect (Huang and He, SIGMOD 2018): runs of letters and of digits lose their
 * characters, all else stays.
 */

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** `N` for a number, `L` for words; `12.0 oz` is `N L`, `New York` is `L`, `2011-01-02` is `N-N-N`. */
export function shapeOf(value: string): string {
  if (NUMBER.test(value)) return 'N';
  return value
    .replace(/[\p{L}\p{M}]+/gu, 'L')
    .replace(/\p{Nd}+(\.\p{Nd}+)?/gu, 'N')
    .replace(/\s+/gu, ' ')
    .replace(/L(?: L)+/g, 'L');
}

/** What a shape stands for, in RE2. */
export function regularExpressionOf(shape: string): string {
  if (shape === 'N') return '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?';
  return shape.replace(
    /[NL ]|[^NL ]/gu,
    (part) => CLASSES[part] ?? (/[\p{L}\p{N}]/u.test(part) ? part : `\\x{${(part.codePointAt(0) ?? 0).toString(16)}}`),
  );
}

const CLASSES: { readonly [part: string]: string } = { N: '[0-9]+([.][0-9]+)?', L: '\\p{L}[\\p{L}\\p{M} ]*', ' ': '\\s+' };

/** The same with letters and digits as one class, for codes such as `A12B`. */
export function codeShapeOf(value: string): string {
  return shapeOf(value).replace(/[LN]+/g, 'A');
}

/** The lengths of runs count too, and the case of letters: `AB-1001` is `U2-D4`. */
export function exactPatternOf(value: string): string {
  return value.replace(
    /\p{Nd}+|\p{Lu}+|\p{Ll}+/gu,
    (run) => `${/^\p{Nd}/u.test(run) ? 'D' : /^\p{Lu}/u.test(run) ? 'U' : 'l'}${run.length};`,
  );
}

export function isNumber(value: string): boolean {
  return NUMBER.test(value);
}

export type PatternShare = { readonly pattern: string; readonly count: number; readonly share: number };

/** The patterns of a column's values, the most frequent first. */
export function patternShares(
  values: readonly { readonly value: string; readonly count: number }[],
  patternOf: (value: string) => string,
): readonly PatternShare[] {
  const counts = new Map<string, number>();
  let total = 0;
  for (const { value, count } of values) {
    const pattern = patternOf(value);
    counts.set(pattern, (counts.get(pattern) ?? 0) + count);
    total += count;
  }
  return [...counts].map(([pattern, count]) => ({ pattern, count, share: count / total })).sort((a, b) => b.count - a.count);
}
