// SPDX-License-Identifier: Apache-2.0
/**
 * Texts as sparse vectors whose dot product, with the modifier `idf`, is BM25 (Robertson and Zaragoza, "The probabilistic relevance framework:
 * BM25 and beyond", 2009). An index is the hash of a token, so no vocabulary is kept. Tokens are those of text indexes.
 *
 * Formula, hash and defaults are those of the published engine, src/common/inference/bm25.rs of qdrant/qdrant, so its vectors and ours can be
 * searched together where the tokens agree; words are split, stemmed and left out by our own analyzer.
 */
import { type Bm25Options, type FieldSchema, ServiceError, type SparseVector } from '@sextant/contracts-vector';
import { hasStemmer } from '../filter/text/stemmer.ts';
import { hasStopWords } from '../filter/text/stop-words.ts';
import { createAnalyzer, type TextAnalyzer } from '../filter/text/text-analyzer.ts';
import { murmur3 } from './murmur3.ts';

const K = 1.2;
const B = 0.75;
/** Tokens of an average document, as long as nobody says it better. */
const AVERAGE_LENGTH = 256;
const LANGUAGE = 'english';
/** The language that has neither stop words nor stems. */
const NO_LANGUAGE = 'none';
/** Analyzers of the last options that were asked for. */
const ANALYZERS_MAX = 32;

/** A text to be found: each token weighs the more the more often it is there, the less the longer the text is. */
export function bm25Document(text: string, options: Bm25Options = {}): SparseVector {
  const tokens = tokensOf(text, options);
  const k = options.k ?? K;
  const b = options.b ?? B;
  const length = tokens.length / (options.avg_len ?? AVERAGE_LENGTH);
  const weights = new Map<number, number>();
  for (const [token, count] of counted(tokens)) {
    weights.set(tokenId(token), Math.fround((count * (k + 1)) / (count + k * (1 - b + b * length))));
  }
  return sparseOf(weights);
}

/** A text to search with: each token counts once, and the modifier of the vector weighs it. */
export function bm25Query(text: string, options: Bm25Options = {}): SparseVector {
  return sparseOf(new Map(tokensOf(text, options).map((token) => [tokenId(token), 1])));
}

function tokensOf(text: string, options: Bm25Options): readonly string[] {
  return analyzerOf(options).queryWords(text);
}

function counted(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

const utf8 = new TextEncoder();

/** The hash as a signed number, without its sign. */
function tokenId(token: string): number {
  return Math.abs(murmur3(utf8.encode(token)) | 0);
}

function sparseOf(weights: ReadonlyMap<number, number>): SparseVector {
  const components = [...weights].sort(([a], [b]) => a - b);
  return { indices: components.map(([index]) => index), values: components.map(([, value]) => value) };
}

const analyzers = new Map<string, TextAnalyzer>();

/** Made once for each set of options, as stop words and segmenters take a while to set up. */
function analyzerOf({ k: _k, b: _b, avg_len: _length, ...options }: Bm25Options): TextAnalyzer {
  const name = JSON.stringify(options);
  const known = analyzers.get(name);
  if (known !== undefined) return known;
  const analyzer = createAnalyzer(schemaOf(options), 'options');
  if (analyzers.size === ANALYZERS_MAX) analyzers.clear();
  analyzers.set(name, analyzer);
  return analyzer;
}

/** What the language says is what the options leave open. */
function schemaOf({ language: given, stopwords, stemmer, ...options }: Bm25Options): FieldSchema {
  const language = given ?? LANGUAGE;
  if (language !== NO_LANGUAGE && !hasStemmer(language) && !hasStopWords(language)) {
    const reason = `options.language: the language "${language}" is not supported; give "none", or set stopwords and stemmer`;
    throw new ServiceError('invalid_request', { reason });
  }
  const languageStemmer = hasStemmer(language) ? ({ type: 'snowball', language } as const) : null;
  return {
    ...options,
    type: 'text',
    stopwords: stopwords ?? (hasStopWords(language) ? language : null),
    stemmer: stemmer?.type === 'none' ? null : (stemmer ?? languageStemmer),
  };
}
