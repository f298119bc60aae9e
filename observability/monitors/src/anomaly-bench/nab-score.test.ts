// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { normalised, optimise, PROFILES, probationRows, rawScore, rowValues, scaledSigmoid } from './nab-score.ts';

const [standard, lowFalsePositives, lowFalseNegatives] = PROFILES;

/** 20 rows, of which the first 3 are on probation; one window of the rows 10 to 13. */
const ROWS = 20;
const WINDOWS = [{ first: 10, last: 13 }];

/** Scores that are 0 but for the given rows. */
function file(scores: { readonly [row: number]: number } = {}, windows = WINDOWS) {
  return { windows, scores: Array.from({ length: ROWS }, (_, row) => scores[row] ?? 0) };
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

describe('the scaled sigmoid', () => {
  test.each([
    [-1, 0.986614],
    [-0.5, 0.848284],
    [0, 0],
    [1, -0.986614],
    [2.999, -0.999999],
    [3, -1],
    [100, -1],
  ])('at %f widths from the right edge is %f', (position, expected) => {
    expect(scaledSigmoid(position)).toBeCloseTo(expected, 5);
  });
});

test.each([
  [20, 3],
  [1000, 150],
  [5000, 750],
  [15_902, 750],
  [0, 0],
])('of %i rows %i are on probation', (rows, expected) => {
  expect(probationRows(rows)).toBe(expected);
});

test('each row is worth what its place beside the windows makes it', () => {
  const values = rowValues({ rows: ROWS, windows: WINDOWS, profile: standard });
  const largest = 2 * sigmoid(5) - 1;
  expect(values[9]).toBeCloseTo(-0.11, 10);
  expect(values[10]).toBeCloseTo(1, 10);
  expect(values[11]).toBeCloseTo((2 * sigmoid(3.75) - 1) / largest, 10);
  expect(values[13]).toBeCloseTo((2 * sigmoid(1.25) - 1) / largest, 10);
  expect(values[14]).toBeCloseTo(0.11 * (2 * sigmoid(-5 / 3) - 1), 10);
  expect(values[16]).toBeCloseTo(0.11 * (2 * sigmoid(-5) - 1), 10);
});

describe('the raw score of', () => {
  test('silence is what all windows cost', () => {
    expect(rawScore([file(), file()], standard, 1)).toBe(-2);
    expect(rawScore([file(), file()], lowFalseNegatives, 1)).toBe(-4);
  });

  test('one alarm at the beginning of the window is 1', () => {
    expect(rawScore([file({ 10: 1 })], standard, 1)).toBeCloseTo(1, 10);
  });

  test('several alarms in a window is that of the first', () => {
    expect(rawScore([file({ 11: 1, 12: 1, 13: 1 })], standard, 1)).toBeCloseTo(rawScore([file({ 11: 1 })], standard, 1), 10);
  });

  test('an alarm before any window costs the whole weight of a false alarm', () => {
    expect(rawScore([file({ 5: 1, 10: 1 })], standard, 1)).toBeCloseTo(0.89, 10);
    expect(rawScore([file({ 5: 1, 10: 1 })], lowFalsePositives, 1)).toBeCloseTo(0.78, 10);
  });

  test('an alarm close behind a window costs less than one far behind', () => {
    const close = rawScore([file({ 14: 1 })], standard, 1);
    const far = rawScore([file({ 19: 1 })], standard, 1);
    expect(close).toBeCloseTo(-1 + 0.11 * (2 * sigmoid(-5 / 3) - 1), 10);
    expect(far).toBeLessThan(close);
  });

  test('an alarm on probation is nothing', () => {
    expect(rawScore([file({ 0: 1, 2: 1 })], standard, 1)).toBe(-1);
    expect(rawScore([file({ 3: 1 })], standard, 1)).toBeCloseTo(-1.11, 10);
  });

  test('a score below the threshold is nothing', () => {
    expect(rawScore([file({ 5: 0.9, 10: 1 })], standard, 1)).toBeCloseTo(1, 10);
    expect(rawScore([file({ 5: 0.9, 10: 1 })], standard, 0.9)).toBeCloseTo(0.89, 10);
  });

  test('a file without windows is what its false alarms cost', () => {
    expect(rawScore([file({ 5: 1, 6: 1 }, [])], standard, 1)).toBeCloseTo(-0.22, 10);
  });
});

describe('the best threshold', () => {
  test('is one for all files, and weighs them against each other', () => {
    const files = [file({ 5: 0.5, 10: 0.9 }), file({ 10: 0.6 })];
    expect(optimise(files, standard)).toMatchObject({ threshold: 0.6, raw: expect.closeTo(2, 10) });
  });

  test('takes a false alarm for a window that is worth more', () => {
    const files = [file({ 5: 0.9, 10: 0.7 })];
    expect(optimise(files, standard)).toMatchObject({ threshold: 0.7, raw: expect.closeTo(0.89, 10) });
  });

  test('counts rows of the same score together', () => {
    const scores = { 4: 0.5, 5: 0.5, 6: 0.5, 7: 0.5, 8: 0.5, 13: 0.5 };
    const { threshold, raw } = optimise([file(scores)], standard);
    expect(raw).toBeCloseTo(rawScore([file(scores)], standard, threshold), 10);
    expect(threshold).toBe(0.5);
  });

  test('is out of reach where every alarm costs more than it earns', () => {
    expect(optimise([file({ 5: 1 }, [])], standard)).toEqual({ threshold: Number.POSITIVE_INFINITY, raw: -0 });
  });

  test('is worth what the raw score says of it', () => {
    const files = [file({ 4: 0.3, 5: 0.8, 11: 0.8, 12: 0.9, 17: 0.4 }), file({ 7: 0.2, 13: 0.35, 15: 0.9 })];
    for (const profile of PROFILES) {
      const { threshold, raw } = optimise(files, profile);
      expect(rawScore(files, profile, threshold)).toBeCloseTo(raw, 10);
      for (const other of [0.2, 0.3, 0.35, 0.4, 0.8, 0.9, 2]) expect(rawScore(files, profile, other)).toBeLessThanOrEqual(raw + 1e-12);
    }
  });
});

describe('the normalised score', () => {
  test.each(PROFILES)('of silence is 0 and of perfection 100 in $name', (profile) => {
    expect(normalised(-2 * profile.missed, { windows: 2, profile })).toBe(0);
    expect(normalised(2, { windows: 2, profile })).toBe(100);
  });

  test('of nothing but false alarms is below 0', () => {
    expect(normalised(-3, { windows: 2, profile: standard })).toBe(-25);
  });

  test('does not exist without windows', () => {
    expect(normalised(-0.11, { windows: 0, profile: standard })).toBeUndefined();
  });
});
