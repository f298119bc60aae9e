// SPDX-License-Identifier: Apache-2.0
/**
 * Whether the text of a point and its vector say the same. Each word lies where the vectors of the texts with it lie on average; the words of a text then
 * foretell its vector, and the score is the cosine of the two, -1 to 1. The point itself takes no part in the means of its own words. A text that was
 * changed or swapped without its vector scores near zero, whatever model made the vectors.
 */
import { dot } from './principal-directions.ts';

export type TextAndVector = { readonly key: number; readonly text: string; readonly coordinates: Float32Array };

const WORD = /[\p{L}\p{N}]+/gu;
const WORDS_MAX = 64;
/** Words of fewer texts foretell nothing, and words of more than this share of them set nothing apart. */
const TEXTS_MIN = 3;
const SHARE_MAX = 0.2;
/** Of a text, so that it can be judged. */
const TELLING_WORDS_MIN = 2;

type Word = { texts: number; readonly sum: Float64Array };

/** Scores by key, of the texts that can be judged. */
export function agreements(points: readonly TextAndVector[]): ReadonlyMap<number, number> {
  const read = points.map(({ key, text, coordinates }) => ({ key, coordinates, words: wordsOf(text) }));
  const counts = new Map<string, number>();
  for (const { words } of read) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const known = new Map<string, Word>();
  for (const { words, coordinates } of read) {
    for (const word of words) {
      const texts = counts.get(word) ?? 0;
      if (texts < TEXTS_MIN || texts > SHARE_MAX * points.length) continue;
      const { sum } = known.get(word) ?? { sum: new Float64Array(coordinates.length) };
      known.set(word, { texts, sum });
      for (let axis = 0; axis < sum.length; axis += 1) sum[axis] = (sum[axis] ?? 0) + (coordinates[axis] ?? 0);
    }
  }
  return new Map(
    read.flatMap(({ key, words, coordinates }) => {
      const telling = words.flatMap((word) => known.get(word) ?? []);
      if (telling.length < TELLING_WORDS_MIN) return [];
      return [[key, cosine(foretold(telling, coordinates, points.length), coordinates)] as const];
    }),
  );
}

/** The means of the words without the point itself, the rarer ones weighted more: inverse document frequency (Spärck Jones, 1972). */
function foretold(words: readonly Word[], own: Float32Array, texts: number): Float32Array {
  const vector = new Float32Array(own.length);
  for (const { texts: withWord, sum } of words) {
    const weight = Math.log(texts / withWord) / (withWord - 1);
    for (let axis = 0; axis < vector.length; axis += 1) vector[axis] = (vector[axis] ?? 0) + weight * ((sum[axis] ?? 0) - (own[axis] ?? 0));
  }
  return vector;
}

function cosine(one: Float32Array, other: Float32Array): number {
  const lengths = Math.sqrt(dot(one, 0, one) * dot(other, 0, other));
  return lengths === 0 ? 0 : dot(one, 0, other) / lengths;
}

/** Each once. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(WORD) ?? [])].slice(0, WORDS_MAX);
}
