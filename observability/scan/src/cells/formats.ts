// SPDX-License-Identifier: Apache-2.0
/**
 * Values that are not written as the others of their column. A column has a format where describing its values by one pattern and listing the
 * rest costs less than no pattern (minimum description length, as in Potter's Wheel: Raman and Hellerstein, VLDB 2001): where one pattern covers
 * most values and the others are rare beside it.
 */
import type { ColumnValues, ValueCount } from './column-values.ts';
import { caseVariants, letterCase } from './letter-case.ts';
import { percent } from './missing.ts';
import { numberForms } from './number-forms.ts';
import { codeShapeOf, exactPatternOf, isNumber, type PatternShare, patternShares, shapeOf } from './patterns.ts';
import { FEW, STRICT, suspects } from './suspected-patterns.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** An exception costs at least this many bits more than a value of the dominant pattern. */
const BITS = 0.5;
/** A pattern dominates from here on. */
const DOMINANT = 0.5;
/** By so much is a standard form more likely what was meant. */
const CANONICAL = 3;
/** Values that occur so often may be the column's own, however they are written. */
const CATEGORY_COUNT = 10;

export function formatFaults(column: ColumnValues): readonly ValueSuspicion[] {
  if (column.present < FEW) return [];
  return [
    ...shapes(column),
    ...exactPatterns(column),
    ...decimals(column),
    ...spaces(column),
    ...letterCase(column),
    ...caseVariants(column),
    ...numberForms(column),
    ...dateOrder(column),
    ...foreignCharacters(column),
  ];
}

/** A dash where others have a slash, a unit behind a number, a word among numbers. */
function shapes({ values }: ColumnValues): readonly ValueSuspicion[] {
  const languages = [shapeOf, codeShapeOf];
  for (const language of languages) {
    const shares = patternShares(values, language);
    const top = canonical(shares);
    if (top === undefined) continue;
    const words = (top.pattern.match(/L/g) ?? []).length;
    const isCode = language === codeShapeOf;
    // Words vary by nature: only what has digits and signs, or nothing but one run, is a format.
    const isFormat = isCode
      ? top.share >= STRICT && top.pattern === 'A' && mixedShare(values) >= 0.02
      : /^[^L]*$/.test(top.pattern) ||
        (words <= 2 && /N/.test(top.pattern) && top.share >= 0.8) ||
        (top.pattern === 'L' && top.share >= STRICT && isSingleWords(values));
    if (!isFormat) continue;
    // Codes such as A12B mix letters and digits freely.
    if (!isCode && mixedShare(values) >= 0.02 && top.pattern !== 'N' && top.share < STRICT) continue;
    const rare = shares.filter((each) => each !== top && Math.log2((priorOf(top) * top.share) / (priorOf(each) * each.share)) >= BITS);
    const found = suspects(values, language, rare, (share) => ({
      score: Math.max(0.6, Math.min(0.95, 0.55 + 0.4 * top.share * (1 - share.share / top.share))),
      reason: `not written as ${percent(top.share)} of the column are, such as "${exampleOf(values, language, top)}"`,
    }));
    return withoutCategories(found, values, (value) => language(value) === top.pattern);
  }
  return [];
}

/** What programs and standards write is turned into what people write more often than the other way round: numbers get units, ISO dates a country's form. */
function priorOf({ pattern }: PatternShare): number {
  return pattern === 'N' || pattern === 'N-N-N' ? CANONICAL : 1;
}

/** The pattern that the column is meant to have: one of most values, or a standard's of a good part of them. */
function canonical(shares: readonly PatternShare[]): PatternShare | undefined {
  const [top] = shares.toSorted((a, b) => priorOf(b) * b.share - priorOf(a) * a.share);
  return top === undefined || priorOf(top) * top.share < DOMINANT ? undefined : top;
}

/** A value that occurs as often as those that are written alike is one of the column's own ("<10000" beside "10000 to 14999"), unless it is one of them in another form. */
function withoutCategories(
  found: readonly ValueSuspicion[],
  values: readonly ValueCount[],
  isUsual: (value: string) => boolean,
): readonly ValueSuspicion[] {
  const usual = values.filter(({ value }) => isUsual(value));
  const median = usual[Math.floor(usual.length / 2)]?.count ?? 0;
  const contents = new Set(usual.flatMap(({ value }) => contentOf(value)));
  const counts = new Map(values.map(({ value, count }) => [value, count]));
  return found.filter(({ value }) => {
    const count = counts.get(value ?? '') ?? 0;
    return count < CATEGORY_COUNT || count < 0.5 * median || contentOf(value ?? '').some((content) => contents.has(content));
  });
}

/** The number of a value, and its letters. */
function contentOf(value: string): readonly string[] {
  const digits = /\d[\d,]*(\.\d+)?/.exec(value)?.[0].replaceAll(',', '');
  return digits === undefined ? [] : [String(Number(digits))];
}

function isSingleWords(values: readonly ValueCount[]): boolean {
  return values.every(({ value }) => !value.includes(' '));
}

function mixedShare(values: readonly ValueCount[]): number {
  let mixed = 0;
  let total = 0;
  for (const { value, count } of values) {
    total += count;
    if (/\p{L}\p{Nd}|\p{Nd}\p{L}/u.test(value)) mixed += count;
  }
  return mixed / Math.max(1, total);
}

/** Codes of one length: a digit lost, a letter too many. */
function exactPatterns({ values }: ColumnValues): readonly ValueSuspicion[] {
  const shares = patternShares(values, exactPatternOf);
  const [top] = shares;
  if (top === undefined || top.share < STRICT || !isCode(top.pattern)) return [];
  // Amounts have as many digits as they need; a number of fixed length is a code.
  if (/^[+-]?(D[1-3];)?([.]D\d+;)?$/.test(top.pattern)) return [];
  const limit = (1 - STRICT) * top.share;
  const rare = shares.slice(1).filter(({ share }) => share <= limit);
  const looks = /^D\d+;$/.test(top.pattern) ? values.filter(({ value }) => !isNearAmount(value, values, top.pattern)) : values;
  return suspects(looks, exactPatternOf, rare, () => ({
    score: 0.75,
    reason: `not of the length and letters that ${percent(top.share)} of the column have, such as "${exampleOf(values, exactPatternOf, top)}"`,
  }));
}

/** Amounts of one number of digits go on beyond it: 10,200 is near 9,800, and no code that has a digit too many. */
function isNearAmount(value: string, values: readonly ValueCount[], pattern: string): boolean {
  if (!/^[1-9]\d*$/.test(value) || exactPatternOf(value) === pattern) return false;
  const usual = values.filter((each) => exactPatternOf(each.value) === pattern).map((each) => Number(each.value));
  const [low, high] = usual.reduce(([least, most], each) => [Math.min(least, each), Math.max(most, each)], [Infinity, -Infinity]);
  return Number(value) <= 1.5 * high && Number(value) >= low / 1.5;
}

/** The regular expression of a column whose values are all but a few written alike, in what both engines share. */
export function dominantFormat({ values }: ColumnValues): RegExp | undefined {
  const [top] = patternShares(values, exactPatternOf);
  if (top === undefined || top.share < STRICT || !isCode(top.pattern)) return undefined;
  const source = top.pattern
    .split(/([DUl][0-9]+;)/)
    .map((part) =>
      part
        .replace(/^([DUl])([0-9]+);$/, (_, kind: string, length: string) => `${CLASSES[kind] ?? ''}{${length}}`)
        .replace(/^[^[].*$/, escaped),
    )
    .join('');
  return new RegExp(`^${source}$`);
}

/** Digits and capitals; the lengths of words say nothing. */
function isCode(pattern: string): boolean {
  return /[DU][0-9]+;/.test(pattern) && !/l[0-9]+;/.test(pattern);
}

const CLASSES: { readonly [kind: string]: string } = { D: '[0-9]', U: '[A-Z]', l: '[a-z]' };

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The year behind where others with the same signs have it in front; other signs are another shape. */
function dateOrder({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const bySign = Map.groupBy(values, ({ value }) => /^\d{1,4}([-/. ])\d{1,2}\1\d{1,4}(\D|$)/.exec(value)?.[1] ?? '');
  return [...bySign].flatMap(([sign, dated]) => {
    const orderOf = (value: string): string => (/^\d{4}/.test(value) ? 'year first' : 'year last');
    const [top, other] = patternShares(dated, orderOf);
    const count = dated.reduce((sum, each) => sum + each.count, 0);
    if (sign === '' || top === undefined || other === undefined || count < 0.5 * present || top.share < 0.6) return [];
    return suspects(dated, orderOf, [other], ({ pattern }) => ({
      score: 0.7,
      reason: `a date with the ${pattern}, as ${percent(other.share)} are`,
    }));
  });
}

/** More decimals than others: what arithmetic in doubles leaves behind. */
function decimals({ values }: ColumnValues): readonly ValueSuspicion[] {
  const digitsOf = (value: string): string => (isNumber(value) ? String(/\.(\d+)$/.exec(value)?.[1]?.length ?? 0) : '');
  const shares = patternShares(values, digitsOf).filter(({ pattern }) => pattern !== '');
  const numeric = shares.reduce((sum, { share }) => sum + share, 0);
  if (numeric < DOMINANT) return [];
  const ordered = shares.toSorted((a, b) => Number(a.pattern) - Number(b.pattern));
  let seen = 0;
  let usual = 0;
  for (const { pattern, share } of ordered) {
    usual = Number(pattern);
    seen += share;
    if (seen >= 0.8 * numeric) break;
  }
  const rare = ordered.filter(({ pattern }) => Number(pattern) >= usual + 4);
  return suspects(values, digitsOf, rare, () => ({ score: 0.8, reason: `more decimals than the ${usual} that are usual in the column` }));
}

function spaces({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const reason = 'has spaces that other values do not have';
  return [
    ...rarely(values, present, 0.5, (value) => /^\s|\s$/.test(value), 0.85, reason),
    ...rarely(values, present, 0.1, (value) => /\S(\s{2,}|[\t\r\n\u00a0])\S/.test(value), 0.6, reason),
  ];
}

/** What a wrong encoding leaves (UTF-8 read as Latin-1), and control characters. */
const DAMAGED = /\ufffd|Ã[\u0080-\u00bf]|â€|Â[\u00a0-\u00bf]|(?![\t\r\n])\p{Cc}/u;
const ODD = /[*#?@$%^_=+<>|~{}[\]\\;!]/u;

function foreignCharacters({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const damaged = rarely(values, present, 0.5, (value) => DAMAGED.test(value), 0.9, 'has characters of a wrong encoding');
  const odd = rarely(values, present, 0.01, (value) => ODD.test(value), 0.6, 'has a character that hardly any other value has');
  const mixed = rarely(
    values,
    present,
    0.01,
    (value) => !isNumber(value) && !/\d(st|nd|rd|th)\b/i.test(value) && /\p{L}\p{Nd}\p{L}|\p{Ll}\p{Nd}|\p{Nd}\p{Ll}/u.test(value),
    0.6,
    'has a digit within a word',
  );
  return [...damaged, ...odd, ...mixed];
}

function rarely(
  values: readonly ValueCount[],
  present: number,
  limit: number,
  test: (value: string) => boolean,
  score: number,
  reason: string,
): readonly ValueSuspicion[] {
  const matching = values.filter(({ value }) => test(value));
  const count = matching.reduce((sum, each) => sum + each.count, 0);
  if (count === 0 || count > limit * present) return [];
  return matching.map(({ value }) => ({ detector: 'format' as const, value, score, reason }));
}

function exampleOf(values: readonly ValueCount[], patternOf: (value: string) => string, { pattern }: PatternShare): string {
  return values.find(({ value }) => patternOf(value) === pattern)?.value ?? '';
}
