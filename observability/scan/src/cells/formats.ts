/**
 * Values that are not written as the others of their column. A column has a format where describing its values by one pattern and listing the
 * rest costs less than no pattern (minimum description length, as in Potter's Wheel: Raman and Hellerstein, VLDB 2001): where one pattern covers
 * most values and the others are rare beside it.
 */
import type { ColumnValues, ValueCount } from './column-values.ts';
import { percent } from './missing.ts';
import { codeShapeOf, exactPatternOf, isNumber, type PatternShare, patternShares, shapeOf } from './patterns.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** An exception costs at least this many bits more than a value of the dominant pattern. */
const BITS = 0.5;
/** A pattern dominates from here on. */
const DOMINANT = 0.5;
/** And here, where patterns vary by nature: the lengths of codes, the case of letters. */
const STRICT = 0.95;
/** Rows below which nothing is called usual. */
const FEW = 10;

export function formatFaults(column: ColumnValues): readonly ValueSuspicion[] {
  if (column.present < FEW) return [];
  return [
    ...shapes(column),
    ...exactPatterns(column),
    ...decimals(column),
    ...spaces(column),
    ...letterCase(column),
    ...foreignCharacters(column),
  ];
}

/** A dash where others have a slash, a unit behind a number, a word among numbers. */
function shapes({ values }: ColumnValues): readonly ValueSuspicion[] {
  const languages = [shapeOf, codeShapeOf];
  for (const language of languages) {
    const shares = patternShares(values, language);
    const [top] = shares;
    if (top === undefined || top.share < DOMINANT) continue;
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
    const rare = shares.slice(1).filter(({ share }) => Math.log2(top.share / share) >= BITS);
    return suspects(values, language, rare, (share) => ({
      score: Math.min(0.95, 0.55 + 0.4 * top.share * (1 - share.share / top.share)),
      reason: `not written as ${percent(top.share)} of the column are, such as "${exampleOf(values, language, top)}"`,
    }));
  }
  return [];
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
  return suspects(values, exactPatternOf, rare, () => ({
    score: 0.75,
    reason: `not of the length and letters that ${percent(top.share)} of the column have, such as "${exampleOf(values, exactPatternOf, top)}"`,
  }));
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
  return rarely(
    values,
    present,
    0.1,
    (value) => /^\s|\s$|\s{2}|[\t\r\n\u00a0]/.test(value),
    0.85,
    'has spaces that other values do not have',
  );
}

const STYLES: readonly { readonly name: string; readonly matches: RegExp }[] = [
  { name: 'capitals', matches: /^[^\p{Ll}]*\p{Lu}{2}[^\p{Ll}]*$/u },
  { name: 'small letters', matches: /^[^\p{Lu}]*\p{Ll}[^\p{Lu}]*$/u },
];

function styleOf(value: string): string {
  return STYLES.find(({ matches }) => matches.test(value))?.name ?? (/\p{L}/u.test(value) ? 'mixed' : '');
}

function letterCase({ values }: ColumnValues): readonly ValueSuspicion[] {
  const styled = values.filter(({ value }) => styleOf(value) !== '');
  const shares = patternShares(styled, styleOf);
  const [top] = shares;
  const letters = styled.reduce((sum, { count }) => sum + count, 0);
  if (top === undefined || letters < FEW || top.share < STRICT) return [];
  const limit = (1 - STRICT) * top.share;
  const rare = shares.slice(1).filter(({ share }) => share <= limit);
  // Among mixed values short capitals are acronyms.
  const looks = top.pattern === 'mixed' ? styled.filter(({ value }) => value.length >= 6) : styled;
  return suspects(looks, styleOf, rare, ({ pattern }) => ({ score: 0.7, reason: `in ${pattern}, as few others of the column are` }));
}

/** What a wrong encoding leaves (UTF-8 read as Latin-1), and control characters. */
const DAMAGED = /\ufffd|Ã[\u0080-\u00bf]|â€|Â[\u00a0-\u00bf]|(?![\t\r\n])\p{Cc}/u;
const ODD = /[*#?@$%^_=+<>|~{}[\]\\;!]/u;

function foreignCharacters({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const damaged = rarely(values, present, 0.5, (value) => DAMAGED.test(value), 0.9, 'has characters of a wrong encoding');
  const odd = rarely(values, present, 0.01, (value) => ODD.test(value), 0.6, 'has a sign that hardly any other value has');
  const mixed = rarely(
    values,
    present,
    0.01,
    (value) => !isNumber(value) && /\p{L}\p{Nd}\p{L}|\p{Ll}\p{Nd}|\p{Nd}\p{Ll}/u.test(value),
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

function suspects(
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

function exampleOf(values: readonly ValueCount[], patternOf: (value: string) => string, { pattern }: PatternShare): string {
  return values.find(({ value }) => patternOf(value) === pattern)?.value ?? '';
}
