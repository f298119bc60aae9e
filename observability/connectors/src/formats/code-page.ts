// SPDX-License-Identifier: Apache-2.0
/**
 * Of which code page a text is whose letters are bytes of their own: every such text can be read in every page, and only its words tell which reading is
 * a language. A letter costs as many bits as it is rare in a language, alone and between its neighbours (a consonant of Czech stands elsewhere than the
 * vowel that its byte is in Windows-1252). The page whose language, or mixture of languages word by word, costs least is the likely one.
 */
import type { Encoding } from '@sextant/contracts-observability';
import { LETTER_COSTS } from './letter-costs.generated.ts';

/** Languages of each page, by their codes in the table; the first stands for those that read the same. */
const PAGES: readonly { readonly encoding: Encoding; readonly languages: readonly string[] }[] = [
  {
    encoding: 'WINDOWS-1252',
    languages: ['fr', 'de', 'es', 'pt', 'it', 'nl', 'da', 'sv', 'nb', 'fi', 'is', 'fo', 'ca', 'gl', 'eu', 'ga', 'et'],
  },
  { encoding: 'WINDOWS-1250', languages: ['cs', 'sk', 'pl', 'hu', 'hr', 'sl', 'ro'] },
  { encoding: 'ISO-8859-2', languages: ['cs', 'sk', 'pl', 'hu', 'hr', 'sl', 'ro'] },
  { encoding: 'WINDOWS-1254', languages: ['tr'] },
  { encoding: 'WINDOWS-1257', languages: ['lt', 'lv', 'et'] },
];

/** Costs are halves of a bit. A letter that a language does not have, or a sign where none stands. */
const UNKNOWN = 36;
/** A letter beside a digit. */
const BESIDE_DIGIT = 20;
/** A sign where signs stand, and where they stand often. */
const SIGN = 20;
const USUAL_SIGN = 8;
/** A word of another language than the one before. */
const OTHER_LANGUAGE = 6;
/** So much more has a reading to cost that it is none: one in 65,536. Less tells nothing where there are a few words (see docs/how-to/files.md). */
const DECIDED = 32;
/** No text holds a control character of the second set; the bytes are none of the page. */
const NO_TEXT = 1000;
const LETTERS_SHOWN = 6;
/** Different words that are looked at. */
const WORDS_MAX = 2000;

/**
 * A page in which the bytes may be words, with the letters that tell its reading from the likeliest one. Windows-1252 alone where nothing is as likely.
 */
export type PossiblePage = { readonly encoding: Encoding; readonly letters: string };

/** The pages in which the bytes may be words, the likeliest first; of those that read the same, the first of the list stands for all. */
export function possiblePages(bytes: Uint8Array): readonly PossiblePage[] {
  const words = wordsOf(bytes);
  const readings = PAGES.map((page) => {
    const reader = readerOf(page);
    return { encoding: page.encoding, texts: words.map(reader.textOf), cost: costOf(words.map(reader.costsOf)) };
  });
  const alike = [...Map.groupBy(readings, ({ texts }) => texts.join('\n')).values()];
  const different = alike
    .flatMap((same) => same.slice(0, 1).map((first) => ({ ...first, cost: Math.min(...same.map(({ cost }) => cost)) })))
    .toSorted((one, other) => one.cost - other.cost);
  const most = (different[0]?.cost ?? 0) + DECIDED;
  const possible = different.filter(({ cost }, place) => place === 0 || cost < most);
  const isDiffering = words.map((_, index) => new Set(possible.map(({ texts }) => texts[index])).size > 1);
  return possible.map(({ encoding, texts }) => ({ encoding, letters: lettersOf(texts.filter((_, index) => isDiffering[index])) }));
}

/** A few letters beyond ASCII: what a person can tell readings by, and no value of the file. */
function lettersOf(texts: readonly string[]): string {
  const letters = new Set(texts.flatMap((text) => Array.from(text).filter((character) => !isAscii(character))));
  return [...letters].slice(0, LETTERS_SHOWN).join(' ');
}

/** Different words that are more than ASCII, with the characters around them. */
function wordsOf(bytes: Uint8Array): readonly Buffer[] {
  const words = new Map<string, Buffer>();
  let start = 0;
  for (let index = 0; index <= bytes.length && words.size < WORDS_MAX; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte >= 0x80 || isAsciiLetter(byte) || isDigit(byte)) continue;
    const word = Buffer.from(bytes.buffer, bytes.byteOffset + start, index - start);
    if (word.some((one) => one >= 0x80)) words.set(word.toString('latin1'), word);
    start = index + 1;
  }
  return [...words.values()];
}

/** Of words in several languages: as one of them, or each in the one that fits it. */
function costOf(words: readonly (readonly number[])[]): number {
  const languages = words[0]?.length ?? 0;
  const ofOne = Array.from({ length: languages }, (_, language) => words.reduce((sum, costs) => sum + (costs[language] ?? 0), 0));
  const ofMany = words.reduce((sum, costs) => sum + Math.min(...costs) + OTHER_LANGUAGE, 0);
  return Math.min(...ofOne, ofMany);
}

type Reader = { readonly textOf: (word: Buffer) => string; readonly costsOf: (word: Buffer) => readonly number[] };

function readerOf({ encoding, languages }: (typeof PAGES)[number]): Reader {
  const decoder = new TextDecoder(encoding);
  const characters = Array.from({ length: 256 }, (_, byte) => small(decoder.decode(Uint8Array.of(byte))));
  const tables = languages.map((language) => tableOf(LETTER_COSTS[language] ?? ''));
  const textOf = (word: Buffer): string => [...word].map((byte) => characters[byte] ?? '').join('');
  const costsOf = (word: Buffer): readonly number[] => {
    const text = Array.from(textOf(word));
    return tables.map((table) => text.reduce((sum, character, place) => (isAscii(character) ? sum : sum + costAt(text, place, table)), 0));
  };
  return { textOf, costsOf };
}

type Table = ReadonlyMap<string, readonly number[]>;

function costAt(text: readonly string[], place: number, table: Table): number {
  const [character = '', left = '', right = ''] = [text[place], text[place - 1], text[place + 1]];
  if (isControl(character)) return NO_TEXT;
  if (!isLetter(character)) return signCost(character, left, right);
  const [alone, ...contexts] = table.get(character) ?? [];
  if (alone === undefined) return UNKNOWN;
  const digits = /\d/.test(left) || /\d/.test(right) ? BESIDE_DIGIT : 0;
  return alone + (contexts[kindOf(left)] ?? 0) + (contexts[KINDS + kindOf(right)] ?? 0) + digits;
}

/** A sign opens or closes a word, or stands alone. */
function signCost(character: string, left: string, right: string): number {
  if (/[²³]/.test(character) && left === 'm' && !isLetter(right)) return USUAL_SIGN;
  if (/[ªº]/.test(character) && !isLetter(right)) return USUAL_SIGN;
  if (/[¿¡]/.test(character) && !isLetter(left) && isLetter(right)) return USUAL_SIGN;
  if (/[¤¦¨¬¯´¸]/.test(character) && (isLetter(left) || isLetter(right))) return UNKNOWN;
  if (/[\p{P}\p{S}\p{N}]/u.test(character) && !(isLetter(left) && isLetter(right))) return SIGN;
  return /[’–—·]/.test(character) ? SIGN : UNKNOWN;
}

const KINDS = 4;

/** Nothing or a sign, a letter beyond ASCII, a vowel, a consonant. */
function kindOf(character: string): number {
  if (!isLetter(character)) return 0;
  if (!isAscii(character)) return 1;
  return 'aeiouy'.includes(character) ? 2 : 3;
}

/** A letter, then nine digits in base 36: what it costs alone, after each kind of character, and before each. */
function tableOf(text: string): Table {
  return new Map(text.split(' ').map((entry) => [entry.slice(0, 1), Array.from(entry.slice(1), (digit) => Number.parseInt(digit, 36))]));
}

function small(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function isControl(character: string): boolean {
  return character >= '\x80' && character < '\xa0';
}

function isAscii(character: string): boolean {
  return character < '\x80';
}

function isAsciiLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
