// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { StoredInputNorms } from '../scan.ts';
import { metricNamed } from '../testing/named-metric.ts';
import { compareInputNorms } from './input-norms.ts';

type Counts = { readonly [from: string]: number };

/** Intervals of one octave. */
const written = (counts: Counts) =>
  Object.entries(counts)
    .map(([from, number]) => ({ from: Number(from), to: 2 * Number(from), written: number }))
    .toSorted((one, other) => one.from - other.from);

/** Scans, each with what had been written until then; answers the last one. */
function scans(...all: readonly Counts[]) {
  let stored: StoredInputNorms | undefined;
  let found = compareInputNorms('v', [], stored);
  for (const counts of all) {
    found = compareInputNorms('v', written(counts), stored);
    // As it is stored.
    stored = JSON.parse(JSON.stringify(found.stored)) as StoredInputNorms;
  }
  return (name: string, aggregation: string) => metricNamed(found.metrics, name, aggregation);
}

const SHARE = ['VECTOR_INPUT_NORM_OUTLIER_SHARE', 'ratio'] as const;

test('the first scan learns, and the next ones measure what was written since', () => {
  expect(scans({ 1: 1000 })(...SHARE)).toBeUndefined();
  const second = scans({ 1: 1000 }, { 1: 1190, 4: 10 });
  expect(second('VECTOR_INPUT_NORM', 'count')).toBe(200);
  expect(second(...SHARE)).toBe(5);
  expect(second('VECTOR_INPUT_NORM', 'median')).toBeCloseTo(Math.SQRT2, 10);
  expect(second('VECTOR_INPUT_NORM', 'p95')).toBeCloseTo(Math.SQRT2, 10);
  expect(scans({ 1: 1000 }, { 0.25: 30, 1: 1100 })(...SHARE)).toBeCloseTo((100 * 30) / 130, 10);
});

test('of nothing that was written no share is known', () => {
  const idle = scans({ 1: 1000 }, { 1: 1000 });
  expect(idle('VECTOR_INPUT_NORM', 'count')).toBe(0);
  expect(idle(...SHARE)).toBeNull();
  expect(idle('VECTOR_INPUT_NORM', 'median')).toBeUndefined();
});

test('too few vectors say nothing of what is rare', () => {
  expect(scans({ 1: 150 }, { 1: 200, 8: 20 })(...SHARE)).toBeUndefined();
});

test('what a bad scan brought does not become usual, and what five scans brought does', () => {
  const days = (number: number): Counts[] => Array.from({ length: number }, (_, day) => ({ 1: 1000 + 50 * (day + 1), 8: 50 * (day + 1) }));
  expect(scans({ 1: 1000 }, ...days(2))(...SHARE)).toBe(50);
  expect(scans({ 1: 1000 }, ...days(5))(...SHARE)).toBe(50);
  expect(scans({ 1: 1000 }, ...days(6))(...SHARE)).toBe(0);
});

test('a collection of the same name that was made again is learned again', () => {
  expect(scans({ 1: 1000, 2: 5 }, { 8: 300 })(...SHARE)).toBeUndefined();
  expect(scans({ 1: 1000 }, { 1: 300 }, { 1: 400, 8: 100 })(...SHARE)).toBe(50);
});
