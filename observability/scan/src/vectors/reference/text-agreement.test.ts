// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { agreements, type TextAndVector, wordsOf } from './text-agreement.ts';
import { textMember } from './text-member.ts';

const TOPICS = 8;
const random = seededRandom(9);
const noise = () => random.next() + random.next() - 1;
const centers = Array.from({ length: TOPICS }, () => Float32Array.from({ length: 12 }, noise));

/** Texts of four words of their topic, and vectors around its centre. */
const points: readonly TextAndVector[] = Array.from({ length: 800 }, (_, key) => {
  const topic = key % TOPICS;
  const words = Array.from({ length: 4 }, () => `topic${topic}word${random.integer(20)}`);
  return { key, text: `The ${words.join(' ')}`, coordinates: Float32Array.from(centers[topic] ?? [], (value) => value + 0.3 * noise()) };
});

test('a text agrees with its vector, and with that of another topic it does not', () => {
  const swapped = points.map((point, index) => (index < 8 ? { ...point, text: points[(index + 1) % 8]?.text ?? '' } : point));
  const scores = agreements(swapped);
  const ofPoint = (key: number) => scores.get(key) ?? Number.NaN;
  const good = points.slice(8).map(({ key }) => ofPoint(key));
  expect(good.toSorted((one, other) => one - other)[good.length >> 1]).toBeGreaterThan(0.8);
  for (let key = 0; key < 8; key += 1) expect(ofPoint(key), `point ${key}`).toBeLessThan(0.5);
});

test('a text of rare words alone is not judged', () => {
  expect(agreements([...points, { key: 900, text: 'unheard unseen', coordinates: new Float32Array(12) }]).has(900)).toBe(false);
});

test('words are letters and digits of any script, each once and in small letters', () => {
  expect(wordsOf('Über 42 über, Straße-Nr. 5: 東京')).toEqual(['über', '42', 'straße', 'nr', '5', '東京']);
});

test('the member that the vectors were made from is found among other texts', () => {
  const texts = points.map(({ key, text, coordinates }) => {
    const unrelated = Array.from({ length: 9 }, () => `stamp${random.integer(30)}`).join(' ');
    return { key, coordinates, payload: { log: unrelated, body: text, year: key } };
  });
  expect(textMember(texts)).toBe('body');
  expect(textMember(texts.map(({ payload: { log }, ...rest }) => ({ ...rest, payload: { log } })))).toBeUndefined();
});
