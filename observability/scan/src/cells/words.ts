// SPDX-License-Identifier: Apache-2.0
/** Slips and abbreviations in single words of longer texts: the column's own words are the dictionary. */
import type { ColumnValues } from './column-values.ts';
import { editDistance } from './edit-distance.ts';
import type { ValueSuspicion } from './suspicion.ts';

const WORD = /\p{L}[\p{L}\p{M}'.]*/gu;
/** Shorter words are near each other by chance. */
const LENGTH_MIN = 5;
/** How many times as frequent the meant word is at least. */
const RATIO = 20;
const RATIO_OF_SHORT = 3;
const WORDS_MAX = 20_000;
/** A column of which more is said has words that differ by nature. */
const SAID_SHARE_MAX = 0.3;

type Word = { readonly text: string; count: number; readonly values: Set<string> };

export function wordFaults({ values, present }: ColumnValues): readonly ValueSuspicion[] {
  const severalWords = values.reduce((sum, { value, count }) => sum + (/\p{L}\s+\p{L}/u.test(value) ? count : 0), 0);
  if (severalWords < 0.2 * present) return [];
  const words = wordsOf(values);
  const frequent = [...words.values()].filter(({ count, values: own }) => count >= RATIO && own.size >= 5);
  if (frequent.length === 0) return [];
  const index = indexOf(frequent);
  const found: ValueSuspicion[] = [];
  for (const word of words.values()) {
    const meant = slipOf(word, index) ?? abbreviationOf(word, frequent);
    if (meant === undefined) continue;
    for (const value of word.values) {
      found.push({
        detector: 'spelling',
        value,
        score: meant.score,
        reason: `"${word.text}" is ${meant.how} "${meant.text}", which the column has ${Math.round(meant.count / word.count)} times as often`,
        ...(word.values.size <= 3 ? { repair: value.replace(word.text, meant.text) } : {}),
      });
    }
  }
  const count = new Map(values.map((each) => [each.value, each.count]));
  const said = [...new Set(found.map(({ value }) => value ?? ''))].reduce((sum, value) => sum + (count.get(value) ?? 0), 0);
  return said > SAID_SHARE_MAX * present ? [] : found;
}

function wordsOf(values: ColumnValues['values']): ReadonlyMap<string, Word> {
  const words = new Map<string, Word>();
  for (const { value, count } of values) {
    for (const [text] of value.matchAll(WORD)) {
      const word = words.get(text) ?? { text, count: 0, values: new Set() };
      if (!words.has(text) && words.size >= WORDS_MAX) continue;
      word.count += count;
      word.values.add(value);
      words.set(text, word);
    }
  }
  return words;
}

function indexOf(frequent: readonly Word[]): ReadonlyMap<string, readonly Word[]> {
  const index = new Map<string, Word[]>();
  for (const word of frequent.filter(({ text }) => text.length >= LENGTH_MIN)) {
    for (const key of keysOf(word.text)) index.set(key, [...(index.get(key) ?? []), word]);
  }
  return index;
}

function keysOf(text: string): readonly string[] {
  const folded = text.toLowerCase();
  return [folded, ...Array.from(folded, (_, at) => folded.slice(0, at) + folded.slice(at + 1))];
}

type Meant = { readonly text: string; readonly count: number; readonly score: number; readonly how: string };

function slipOf(word: Word, index: ReadonlyMap<string, readonly Word[]>): Meant | undefined {
  const { text, count } = word;
  if (text.length < LENGTH_MIN || text.includes('.') || word.values.size > 2) return undefined;
  const own = text.toLowerCase();
  for (const key of keysOf(text)) {
    for (const target of index.get(key) ?? []) {
      const other = target.text.toLowerCase();
      if (own === other || target.count < RATIO * count || isInflected(own, other) || editDistance(own, other, 1) > 1) continue;
      return { text: target.text, count: target.count, score: text.length >= 7 ? 0.7 : 0.55, how: 'one typo away from' };
    }
  }
  return undefined;
}

/** Plurals, tenses and the like are words of their own: what differs lies at the end. */
function isInflected(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length - 1) === other.slice(0, length - 1);
}

/** `Univ.` for University, `Intl` for International. */
function abbreviationOf({ text, count }: Word, frequent: readonly Word[]): Meant | undefined {
  const short = text.replace(/[.']/g, '').toLowerCase();
  if (short.length < 2 || short.length > 5) return undefined;
  const isMarked = text.endsWith('.') || text.includes("'");
  const target = frequent.find(
    (each) =>
      each.text.length >= short.length + 3 &&
      // A small "and" is a word of its own beside "Attendant".
      isCapital(text) === isCapital(each.text) &&
      each.count >= RATIO_OF_SHORT * count &&
      (isMarked ? isSubsequence(short, each.text.toLowerCase()) : isSkeleton(short, each.text.toLowerCase())),
  );
  return target === undefined ? undefined : { text: target.text, count: target.count, score: 0.6, how: 'short for' };
}

function isCapital(word: string): boolean {
  return /^\p{Lu}/u.test(word);
}

/** A word without vowels behind its first letter is no word of its own. */
function isSkeleton(short: string, long: string): boolean {
  return short.length >= 3 && !/[aeiouy]/.test(short.slice(1)) && isSubsequence(short, long);
}

function isSubsequence(short: string, long: string): boolean {
  if (short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}
