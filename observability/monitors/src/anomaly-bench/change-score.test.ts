// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { normal } from './chance.ts';
import { parseMarkedSeries } from './change-corpus.ts';
import { changesFoundIn } from './change-points.ts';
import { changeScore } from './change-score.ts';

test.each([
  ['what everybody marked', [[50], [50]], [50], 1, 1],
  ['within the margin', [[50]], [54], 0.92, 1],
  ['nothing where nothing is', [[], []], [], 1, 1],
  ['a change too many', [[]], [50], 0.5, 2 / 3],
  ['nothing where something is', [[50]], [], 0.5, 2 / 3],
  ['one of two people', [[50], []], [50], 0.75, 1],
])('found: %s', (_, marked, found, covering, f1) => {
  const score = changeScore(marked, found, 100);
  expect(score.covering).toBeCloseTo(covering, 1);
  expect(score.f1).toBeCloseTo(f1, 6);
});

test('a found change serves one mark', () => {
  expect(changeScore([[50, 52]], [51], 100).f1).toBeCloseTo((2 * 1 * (2 / 3)) / (1 + 2 / 3), 6);
});

test('a series is read with its marks, and left out without', () => {
  const text = JSON.stringify({ name: 'river', series: [{ raw: [1, null, 3] }] });
  expect(parseMarkedSeries(text, { river: { a: [2], b: [] } })).toEqual({ name: 'river', values: [1, null, 3], marked: [[2], []] });
  expect(parseMarkedSeries(text, {})).toBeUndefined();
  expect(parseMarkedSeries(JSON.stringify({ name: 'river', series: [{ raw: [] }, { raw: [] }] }), { river: { a: [] } })).toBeUndefined();
});

test('a jump is one change at its first value, whether it lasts or not, and noise is none', () => {
  const random = seededRandom(3);
  const calm = Array.from({ length: 100 }, () => 100 + normal(random));
  expect(changesFoundIn(calm.map((value, place) => (place < 60 ? value : value + 15)))).toEqual([60]);
  expect(changesFoundIn(calm.map((value, place) => (place === 60 ? value + 15 : value)))).toEqual([60]);
  expect(changesFoundIn(calm)).toEqual([]);
});
