// SPDX-License-Identifier: Apache-2.0
/** Text by what a reader takes for its characters, so that a cut never tears an accent or an emoji apart. */

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function charactersOf(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function firstCharacters(text: string, count: number): string {
  return charactersOf(text).slice(0, count).join('');
}
