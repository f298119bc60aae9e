// SPDX-License-Identifier: Apache-2.0
/**
 * How text becomes tokens. A field's schema says it; a field without a text index uses the defaults (words, lower case).
 * So a text condition means the same with and without an index: it compares tokens, never substrings. An index over a field
 * with default options changes how fast an answer comes, not what it is.
 */
import type { FieldSchema } from '@sextant/contracts-vector';
import { stemmerOf } from './stemmer.ts';
import { stopWordsOf } from './stop-words.ts';

/** Letters, digits and the marks that belong to them; everything else stands between words. */
const WORD = /[\p{Alphabetic}\p{M}\p{N}]+/gu;
/** No word of a language is longer; what is longer is data, and stemming it would only cost. */
const STEMMED_LENGTH_MAX = 64;

export type TextAnalyzer = {
  /** The tokens of a stored text in order. */
  readonly words: (text: string) => readonly string[];
  /** The tokens of a query in order. */
  readonly queryWords: (text: string) => readonly string[];
  /** Whether a stored token answers a query token: the same or, with the prefix tokenizer, one that starts with it. */
  readonly answers: (word: string, queryWord: string) => boolean;
  /** With the prefix tokenizer: lengths of the prefixes that answer. */
  readonly prefixes?: { readonly min: number; readonly max: number };
};

/** The analyzer of a text schema; undefined or another type of schema has the defaults. */
export function textAnalyzer(schema: FieldSchema | undefined): TextAnalyzer {
  if (schema?.type !== 'text') return DEFAULT;
  const known = ANALYZERS.get(schema);
  if (known !== undefined) return known;
  const analyzer = createAnalyzer(schema);
  ANALYZERS.set(schema, analyzer);
  return analyzer;
}

/** Made once for each schema, as stop words and segmenters take a while to set up. */
const ANALYZERS = new WeakMap<FieldSchema, TextAnalyzer>();

/** @param place of the schema in the request, for what is wrong in it */
export function createAnalyzer(schema: FieldSchema, place = 'field_schema'): TextAnalyzer {
  const split = splitterOf(schema);
  const normalize = normalizerOf(schema, place);
  const min = schema.min_token_len ?? 0;
  const max = schema.max_token_len ?? Number.POSITIVE_INFINITY;
  const normalized = (text: string) => split(text.normalize('NFC')).map(normalize);
  if (schema.tokenizer === 'prefix') {
    const least = Math.max(1, min);
    const words = (text: string) => normalized(text).filter((word) => length(word) >= least);
    return {
      words,
      queryWords: (text) => words(text).map((word) => cut(word, max)),
      answers: (word, queryWord) => word.startsWith(queryWord),
      prefixes: { min: least, max },
    };
  }
  const words = (text: string) => normalized(text).filter((word) => word !== '' && length(word) >= min && length(word) <= max);
  return { words, queryWords: words, answers: (word, queryWord) => word === queryWord };
}

function splitterOf(schema: FieldSchema): (text: string) => readonly string[] {
  switch (schema.tokenizer ?? 'word') {
    case 'whitespace':
      return (text) => text.split(/\s+/u);
    case 'multilingual': {
      // Unicode word boundaries (UAX 29), with dictionaries for scripts that write no spaces.
      const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
      return (text) => Array.from(segmenter.segment(text)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
    }
    case 'word':
    case 'prefix':
      return (text) => text.match(WORD) ?? [];
  }
}

/** Folding, lower case, stop words, stem, in this order; a stop word becomes the empty token, which no text keeps. */
function normalizerOf(schema: FieldSchema, place: string): (token: string) => string {
  const folding = schema.ascii_folding === true;
  const lowercase = schema.lowercase !== false;
  const stem = stemmerOf(schema.stemmer, place);
  const plain = (token: string) => {
    const folded = folding ? foldToAscii(token) : token;
    return lowercase ? folded.toLowerCase() : folded;
  };
  const stopWords = new Set([...stopWordsOf(schema.stopwords, place)].map((word) => plain(word.normalize('NFC'))));
  return (token) => {
    const word = plain(token);
    if (stopWords.has(word)) return '';
    return stem === undefined || word.length > STEMMED_LENGTH_MAX ? word : stem(word);
  };
}

/** Characters, not UTF-16 units. */
function length(word: string): number {
  let count = 0;
  for (const _ of word) count++;
  return count;
}

function cut(word: string, max: number): string {
  return word.length <= max ? word : Array.from(word).slice(0, max).join('');
}

/** Latin letters that Unicode does not decompose into a base letter and a mark, each with its usual ASCII spelling. */
const SPELLINGS = 'Æ=AE æ=ae Œ=OE œ=oe Ø=O ø=o ß=ss ẞ=SS Đ=D đ=d Ð=D ð=d Þ=TH þ=th Ł=L ł=l Ħ=H ħ=h ı=i Ŋ=N ŋ=n Ŧ=T ŧ=t ĸ=k';
const SPELLING = new Map(SPELLINGS.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(2)]));
const UNDECOMPOSED = new RegExp(`[${[...SPELLING.keys()].join('')}]`, 'gu');

const ASCII = /^\p{ASCII}*$/u;
/** The diacritical marks of Latin, Greek and Cyrillic; other scripts spell with theirs. */
const MARKS = /[\u0300-\u036f]/g;

/** Letters without their marks: `café` and `cafe` become one token. */
function foldToAscii(token: string): string {
  if (ASCII.test(token)) return token;
  return token
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(UNDECOMPOSED, (letter) => SPELLING.get(letter) ?? letter)
    .normalize('NFC');
}

const DEFAULT = createAnalyzer({ type: 'text' });
