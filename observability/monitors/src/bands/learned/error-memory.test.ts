import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { normal } from '../../anomaly-bench/chance.ts';
import { ErrorMemory } from './error-memory.ts';
import { tailOf } from './tail.ts';

const TAIL = tailOf(0.001);
const FAR_TAIL = tailOf(1e-6);

function memoryOf(sizes: readonly number[]): ErrorMemory {
  const memory = new ErrorMemory(1000);
  for (const size of sizes) memory.learn({ ranked: size, counted: size });
  return memory;
}

function normalErrors(count: number, seed = 1): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Math.abs(normal(random)));
}

/** Mean half width over many memories, in deviations. */
function meanHalfWidth(count: number, of: (memory: ErrorMemory) => number): number {
  const widths = Array.from({ length: 50 }, (_, seed) => of(memoryOf(normalErrors(count, seed))));
  return widths.reduce((sum, width) => sum + width, 0) / widths.length;
}

test('many normal errors come near the normal quantile', () => {
  const halfWidth = meanHalfWidth(1000, (memory) => memory.halfWidth(TAIL, 0));
  expect(halfWidth).toBeGreaterThan(3.29);
  expect(halfWidth).toBeLessThan(3.8);
});

test('few errors are trusted less', () => {
  const halfWidths = [5, 10, 20, 60].map((count) => meanHalfWidth(count, (memory) => memory.halfWidth(TAIL, 0)));
  expect(halfWidths).toEqual(halfWidths.toSorted((a, b) => b - a));
});

test('before the first error the tolerance is all that there is', () => {
  expect(memoryOf([]).deviation(2)).toBe(2);
  expect(memoryOf([]).halfWidth(TAIL, 2)).toBeCloseTo(2 * TAIL.student(3), 10);
});

test('a tolerance fades as errors of zero come in', () => {
  const halfWidths = [0, 5, 20, 100].map((count) => memoryOf(Array<number>(count).fill(0)).halfWidth(TAIL, 1));
  expect(halfWidths).toEqual(halfWidths.toSorted((a, b) => b - a));
  expect(halfWidths.at(-1)).toBeLessThan(1);
  expect(halfWidths.at(-1)).toBeGreaterThan(0.2);
});

describe('the largest errors', () => {
  test('do not count where there are only two of them', () => {
    const memory = new ErrorMemory(1000);
    for (const size of normalErrors(100)) memory.learn({ ranked: size, counted: size });
    const before = memory.halfWidth(TAIL, 0);
    for (const size of [500, 600]) memory.learn({ ranked: size, counted: 2 });
    expect(memory.halfWidth(TAIL, 0)).toBeLessThan(1.3 * before);
  });

  test('are what the band reaches where they keep coming', () => {
    const memory = memoryOf(Array.from({ length: 200 }, (_, index) => (index % 20 === 0 ? 50 : 1)));
    expect(memory.halfWidth(TAIL, 0)).toBeGreaterThan(50);
  });

  test('carry the band further where the tail is heavy', () => {
    const light = meanHalfWidth(500, (memory) => memory.halfWidth(FAR_TAIL, 0) / memory.halfWidth(TAIL, 0));
    const heavy = memoryOf(normalErrors(500).map((size) => size ** 2));
    expect(heavy.halfWidth(FAR_TAIL, 0) / heavy.halfWidth(TAIL, 0)).toBeGreaterThan(1.2 * light);
  });
});

test('more errors than it was made for are an error of ours', () => {
  const memory = new ErrorMemory(1);
  memory.learn({ ranked: 1, counted: 1 });
  expect(() => memory.learn({ ranked: 1, counted: 1 })).toThrow('no more errors');
});
