// SPDX-License-Identifier: Apache-2.0
/**
 * Texts whose words are as frequent as those of a language: the r-th most frequent of 50,000 has a share of 1 / (r + 2.7), after Zipf and
 * Mandelbrot. Stop words are left out of real texts before they are indexed, and so are the 100 most frequent ones here.
 */
import type { Random } from '@sextant/foundation-std';

const WORDS = 50_000;
const SHIFT = 2.7;
const STOP_WORDS = 100;
const LENGTH_MIN = 20;
const LENGTH_MAX = 100;

/** The mean of the lengths. */
export const AVERAGE_LENGTH = (LENGTH_MIN + LENGTH_MAX) / 2;

export function zipfDocuments(count: number, random: Random): readonly (readonly string[])[] {
  const cumulated = new Float64Array(WORDS);
  let total = 0;
  for (let word = 0; word < WORDS; word++) {
    total += 1 / (word + STOP_WORDS + SHIFT);
    cumulated[word] = total;
  }
  const draw = () => `w${firstAbove(cumulated, random.next() * total)}`;
  return Array.from({ length: count }, () => {
    const length = LENGTH_MIN + random.integer(LENGTH_MAX - LENGTH_MIN + 1);
    return Array.from({ length }, draw);
  });
}

/** Different words of one text, as somebody who looks for it would give them. */
export function wordsOf(document: readonly string[], count: number, random: Random): readonly string[] {
  const words = new Set<string>();
  for (let tries = 0; tries < 100 && words.size < count; tries++) words.add(document[random.integer(document.length)] ?? '');
  return [...words];
}

function firstAbove(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
