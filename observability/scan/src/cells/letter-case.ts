// SPDX-License-Identifier: Apache-2.0
/** Values in capitals or small letters where others are not, and one text in two cases. */
import type { ColumnValues } from './column-values.ts';
import { type PatternShare, patternShares } from './patterns.ts';
import { FEW, STRICT, suspects } from './suspected-patterns.ts';
import type { ValueSuspicion } from './suspicion.ts';

/** A style of so many values is the usual one, where other values have the same words in it. */
const USUAL_CASE = 0.55;

const STYLES: readonly { readonly name: string; readonly matches: RegExp }[] = [
  { name: 'capitals', matches: /^[^\p{Ll}]*\p{Lu}{2}[^\p{Ll}]*$/u },
  { name: 'small letters', matches: /^[^\p{Lu}]*\p{Ll}[^\p{Lu}]*$/u },
];

function styleOf(value: string): string {
  return STYLES.find(({ matches }) => matches.test(value))?.name ?? (/\p{L}/u.test(value) ? 'mixed' : '');
}

export function letterCase({ values }: ColumnValues): readonly ValueSuspicion[] {
  const styled = values.filter(({ value }) => styleOf(value) !== '');
  const shares = patternShares(styled, styleOf);
  const [top] = shares;
  const letters = styled.reduce((sum, { count }) => sum + count, 0);
  if (top === undefined || letters < FEW || top.share < USUAL_CASE) return [];
  const limit = (1 - STRICT) * top.share;
  const rare = shares.slice(1).filter(({ share }) => share <= limit);
  // Among mixed values short capitals are acronyms.
  const looks = top.pattern === 'mixed' ? styled.filter(({ value }) => value.length >= 6) : styled;
  const say = ({ pattern }: PatternShare) => ({ score: 0.7, reason: `in ${pattern}, as few others of the column are` });
  const known = new Set(wordsOf(styled.filter(({ value }) => styleOf(value) === top.pattern)));
  const sharing = styled.filter(({ value }) => wordsOf([{ value }]).some((word) => known.has(word)));
  const others = shares.slice(1).filter((share) => !rare.includes(share));
  return [
    ...(top.share >= STRICT ? suspects(looks, styleOf, rare, say) : suspects(sharing, styleOf, rare, say)),
    ...suspects(sharing, styleOf, others, say),
  ];
}

function wordsOf(values: readonly { readonly value: string }[]): readonly string[] {
  return [...new Set(values.flatMap(({ value }) => value.toLowerCase().match(/\p{L}{4,}/gu) ?? []))];
}

/** One text in two cases: the less frequent one is meant to be the other. */
export function caseVariants({ values }: ColumnValues): readonly ValueSuspicion[] {
  const byText = Map.groupBy(values, ({ value }) => value.trim().replace(/\s+/g, ' ').toLowerCase());
  return [...byText.values()].flatMap((variants) => {
    const [most, ...others] = variants.toSorted((a, b) => b.count - a.count);
    if (most === undefined || !/\p{L}{2}/u.test(most.value)) return [];
    return others
      .filter(({ count }) => count <= 0.8 * most.count)
      .map(({ value, count }) => ({
        detector: 'format' as const,
        value,
        score: 0.6 + 0.3 * (1 - count / most.count),
        reason: `"${most.value}" in another case or with other spaces`,
        repair: most.value,
      }));
  });
}
