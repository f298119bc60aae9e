// SPDX-License-Identifier: Apache-2.0
/**
 * How rare the letters of languages are, alone and beside others: from the names that Unicode's CLDR (https://cldr.unicode.org/) has in each language for regions,
 * languages, currencies, months and days, as Node's `Intl` gives them.
 */
const LANGUAGES = 'fr de es pt it nl da sv nb fi is fo ca gl eu ga cs sk pl hu hr sl ro tr lt lv et'.split(' ');
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
/** Costs are halves of a bit, in one digit of base 36. */
const COST_MAX = 35;
/** Added to each count of a context, and the least share of a letter. */
const CONTEXT_SMOOTHING = 0.3;
const KINDS = 4;

export function letterCostsSource(): string {
  const rows = LANGUAGES.map((language) => `  ${language}: '${costsOf(namesIn(language))}',`);
  return (
    '/** What letters cost in each language, by `code-page.ts`; written by `npm run generate` (tools/generate/letter-costs.ts). */\n' +
    `export const LETTER_COSTS: { readonly [language: string]: string } = {\n${rows.join('\n')}\n};\n`
  );
}

function namesIn(language: string): readonly string[] {
  const names = new Set<string>();
  const named = (type: 'region' | 'language' | 'currency', codes: readonly string[]): void => {
    const display = new Intl.DisplayNames([language], { type, fallback: 'none' });
    for (const code of codes) {
      const name = display.of(code);
      if (name !== undefined) names.add(name);
    }
  };
  const letters = Array.from(ALPHABET);
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  named('language', pairs);
  named(
    'region',
    pairs.map((pair) => pair.toUpperCase()),
  );
  named('currency', Intl.supportedValuesOf('currency'));
  for (let month = 0; month < 12; month += 1) names.add(new Date(2020, month, 2).toLocaleString(language, { month: 'long' }));
  for (let day = 1; day <= 7; day += 1) names.add(new Date(2020, 1, day).toLocaleString(language, { weekday: 'long' }));
  // Code pages have the letters with a cedilla that Romanian wrote before those with a comma below.
  return [...names].map((name) => name.replaceAll('ș', 'ş').replaceAll('ț', 'ţ').replaceAll('Ș', 'Ş').replaceAll('Ț', 'Ţ'));
}

function costsOf(names: readonly string[]): string {
  const counts = new Map<string, number[]>();
  let letters = 0;
  for (const word of new Set(names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{M}]+/u)))) {
    const text = Array.from(word.normalize('NFC'));
    text.forEach((letter, place) => {
      if (letter < '\x80' || letter.length > 1) return;
      const own = counts.get(letter) ?? Array.from({ length: 2 * KINDS }, () => CONTEXT_SMOOTHING);
      for (const index of [kindOf(text[place - 1]), KINDS + kindOf(text[place + 1])]) own[index] = (own[index] ?? 0) + 1;
      counts.set(letter, own);
      letters += 1;
    });
  }
  return [...counts]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([letter, own]) => {
      const total = own.slice(0, KINDS).reduce((sum, count) => sum + count, 0);
      const shares = [(total - KINDS * CONTEXT_SMOOTHING) / letters, ...own.map((count) => count / total)];
      return letter + shares.map((share) => Math.min(COST_MAX, Math.round(-2 * Math.log2(share))).toString(36)).join('');
    })
    .join(' ');
}

/** Nothing, a letter beyond ASCII, a vowel, a consonant. */
function kindOf(character: string | undefined): number {
  if (character === undefined) return 0;
  if (character >= '\x80') return 1;
  return 'aeiouy'.includes(character) ? 2 : 3;
}
