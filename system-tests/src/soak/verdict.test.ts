// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { judge, type Minute } from './verdict.ts';

function minutesOf(count: number, change: (minute: number) => Partial<Minute>): readonly Minute[] {
  const random = seededRandom(7);
  return Array.from({ length: count }, (_, minute) => ({
    minute,
    rate: 500,
    residentMb: 400 + random.next() * 20,
    heapMb: 60 + random.next() * 5,
    externalMb: 30,
    descriptors: 80 + random.integer(4),
    diskMb: 200 + random.next() * 10,
    p50Ms: 2,
    p99Ms: 10 + random.next() * 5,
    p999Ms: 30,
    errors: 0,
    ...change(minute),
  }));
}

test('an hour that stays level is good', () => {
  const { isGood, lines } = judge(minutesOf(60, () => ({})));
  expect(lines.filter((line) => line.startsWith('FAULT'))).toEqual([]);
  expect(isGood).toBe(true);
});

test.each([
  ['resident memory', (minute: number) => ({ residentMb: 400 + 3 * minute })],
  ['V8 heap', (minute: number) => ({ heapMb: 60 + minute })],
  ['descriptors', (minute: number) => ({ descriptors: 80 + Math.floor(minute / 3) })],
  ['disk', (minute: number) => ({ diskMb: 200 + 2 * minute })],
  ['p99', (minute: number) => ({ p99Ms: 10 + minute })],
])('a leak of %s is a fault, and nothing else is', (name, change) => {
  const { isGood, lines } = judge(minutesOf(60, change));
  expect(isGood).toBe(false);
  const faults = lines.filter((line) => line.startsWith('FAULT'));
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(name);
});

test('what grows in the first minutes alone is no leak', () => {
  expect(judge(minutesOf(60, (minute) => ({ residentMb: minute < 10 ? 200 + 20 * minute : 400 }))).isGood).toBe(true);
});

test('growth that does not matter is none', () => {
  expect(judge(minutesOf(60, (minute) => ({ residentMb: 400 + 0.1 * minute }))).isGood).toBe(true);
});

test('a request that failed is a fault, however short the run', () => {
  expect(judge(minutesOf(3, () => ({ errors: 1 }))).isGood).toBe(false);
  const { isGood, lines } = judge(minutesOf(3, () => ({})));
  expect([isGood, lines[1]]).toEqual([true, expect.stringContaining('too few to judge')]);
});

test('what a system does not give is unknown, and no fault', () => {
  const { isGood, lines } = judge(minutesOf(60, () => ({ descriptors: Number.NaN })));
  expect(isGood).toBe(true);
  expect(lines).toContain('descriptors: unknown on this system');
});
