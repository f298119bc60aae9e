// SPDX-License-Identifier: Apache-2.0
import { type Random, seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { type FoundTurnover, type KeyedVector, type StoredSample, turnoverOf } from './turnover.ts';

const DIMENSION = 64;
const POINTS = 1000;
/** Of comparisons whose mean and deviation are known within a tenth. */
const ROUNDS = roundsOf({ quick: 15, long: 50 });
const now = async () => {};

/** Of the topics, in 40 dimensions of 64. */
const centres = Array.from({ length: 100 }, (_, topic) => {
  const random = seededRandom(1000 + topic);
  return Array.from({ length: DIMENSION }, (__, at) => (at < 40 ? 2 * normal(random) : 0));
});

function vectorOf(topic: number, random: Random): Float32Array {
  return Float32Array.from(centres[topic] ?? [], (part) => part + normal(random));
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function points(random: Random): readonly KeyedVector[] {
  return Array.from({ length: POINTS }, (_, place) => ({ key: 1000 * place, vector: vectorOf(random.integer(30), random) }));
}

/** Each with the chance of `share`; the others stay. */
function exchanged(all: readonly KeyedVector[], share: number, random: Random): readonly KeyedVector[] {
  return all.map((one) => (random.next() < share ? { key: one.key + 1, vector: vectorOf(random.integer(30), random) } : one));
}

async function compared(before: readonly KeyedVector[], after: readonly KeyedVector[]): Promise<FoundTurnover> {
  const { found } = await turnoverOf(after, (await turnoverOf(before, undefined, now)).stored, now);
  if (found === undefined) throw new Error('nothing was compared');
  return found;
}

test('what chance exchanges is normal, in standard deviations', async () => {
  const random = seededRandom(3);
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = points(random);
    const { came = Number.NaN, went = Number.NaN } = await compared(before, exchanged(before, 0.05 + 0.15 * random.next(), random));
    all.push(came, went);
  }
  const mean = all.reduce((sum, one) => sum + one / all.length, 0);
  const deviation = Math.sqrt(all.reduce((sum, one) => sum + (one - mean) ** 2 / all.length, 0));
  expect(Math.abs(mean)).toBeLessThan(0.3);
  expect(deviation).toBeGreaterThan(0.8);
  expect(deviation).toBeLessThan(1.25);
  expect(Math.max(...all)).toBeLessThan(4);
});

test('a new topic of one vector of fifty shows among those that came, and not among those that went', async () => {
  const random = seededRandom(4);
  const before = points(random);
  const after = exchanged(before, 0.08, random).map((one, at) => (at % 50 === 7 ? { key: one.key, vector: vectorOf(99, random) } : one));
  const { came, went, fresh, direction } = await compared(before, after);
  expect(came).toBeGreaterThan(5);
  expect(went).toBeLessThan(3);
  expect(fresh.size).toBeGreaterThan(60);
  const centre = vectorOf(99, random);
  const cosine =
    centre.reduce((sum, part, at) => sum + part * (direction[at] ?? 0), 0) / (Math.hypot(...centre) * Math.hypot(...direction));
  expect(cosine).toBeGreaterThan(0.5);
});

test('a lost topic shows among the vectors that went, and not among those that came', async () => {
  const random = seededRandom(5);
  const before = points(random).map((one, at) => (at % 50 === 7 ? { ...one, vector: vectorOf(99, random) } : one));
  const after = exchanged(
    before.filter((_, at) => at % 50 !== 7),
    0.08,
    random,
  );
  const { came, went } = await compared(before, after);
  expect(went).toBeGreaterThan(6);
  expect(came).toBeLessThan(3);
});

test('a vector that was written again under its id is new', async () => {
  const before = points(seededRandom(6));
  const after = before.map((one, at) => (at < 30 ? { ...one, vector: one.vector.map((part) => 2 * part) } : one));
  const { came, went, fresh } = await compared(before, after);
  expect([...fresh]).toEqual(before.slice(0, 30).map(({ key }) => key));
  // The same directions came that went.
  expect(came).toBeDefined();
  expect(Math.abs((came ?? 0) - (went ?? 0))).toBeLessThan(1);
});

test('fewer than twenty vectors have no mean to speak of, and where all are others nothing is left to go', async () => {
  const random = seededRandom(7);
  const before = points(random);
  const few = await compared(before, exchanged(before.slice(0, POINTS - 5), 0.005, random));
  expect([few.came, few.went]).toEqual([undefined, undefined]);
  const all = await compared(before, points(random));
  expect(all.came).toBeDefined();
  expect(all.went).toBeUndefined();
});

test('what lies beyond the sample of the scan before is not new', async () => {
  const random = seededRandom(8);
  const before = points(random);
  const beyond = Array.from({ length: 50 }, (_, at) => ({ key: 1000 * (POINTS + at), vector: vectorOf(1, random) }));
  expect((await compared(before, [...before, ...beyond])).fresh.size).toBe(0);
});

test.each<[string, StoredSample | undefined]>([
  ['no scan before', undefined],
  ['vectors of another dimension', { entries: '', sum: Buffer.from(new Float64Array(7).buffer).toString('base64') }],
])('nothing is compared after %s', async (_, stored) => {
  expect((await turnoverOf(points(seededRandom(9)), stored, now)).found).toBeUndefined();
});
