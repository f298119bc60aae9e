// SPDX-License-Identifier: Apache-2.0
import type { Filter, NearestRequest, PointInput } from '@sextant/contracts-vector';
import { type Clock, seededRandom, systemClock } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedEngine } from '../../embedded-engine.ts';
import type { Engine } from '../../engine.ts';

const COUNT = 600;
const INDICES = 40;

/** Every slice is used up at once, so a search gives way wherever it can. */
let ticks = 0;
const impatient: Clock = { ...systemClock, monotonicMs: () => (ticks += 5) };

let scratch: Awaited<ReturnType<typeof temporaryDirectory>>;
let engine: Engine;
const points = new Map<number, PointInput>();

beforeAll(async () => {
  scratch = await temporaryDirectory();
  engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: impatient, random: seededRandom(1) });
  await engine.createCollection('c', { vectors: {}, sparse_vectors: { words: {} } });
  await engine.createFieldIndex('c', 'indexed', { type: 'integer' });
  const random = seededRandom(3);
  for (let id = 0; id < COUNT; id++) points.set(id, pointOf(id, random));
  await engine.upsert('c', [...points.values()]);
  const gone = [...points.keys()].filter((id) => id % 11 === 0);
  for (const id of gone) points.delete(id);
  await engine.deletePoints('c', { points: gone });
});

afterAll(async () => {
  await engine.close();
  await scratch[Symbol.asyncDispose]();
});

function pointOf(id: number, random: ReturnType<typeof seededRandom>): PointInput {
  const indices = Array.from({ length: INDICES }, (_, index) => index).filter((index) => random.next() < 2 / (index + 2));
  const values = indices.map(() => Math.fround(random.next() * 2 - 0.5));
  return { id, vector: { words: { indices, values } }, payload: { indexed: id, plain: id % 10 } };
}

const query = fc
  .uniqueArray(fc.tuple(fc.nat(INDICES), fc.integer({ min: -20, max: 100 })), { selector: ([index]) => index, minLength: 1, maxLength: 8 })
  .map((components) => ({
    indices: components.map(([index]) => index),
    values: components.map(([, value]) => Math.fround(value / 100 + 0.001)),
  }));
const filter: fc.Arbitrary<Filter | null> = fc.oneof(
  fc.constant(null),
  fc
    .record({ from: fc.nat(COUNT), count: fc.constantFrom(3, 50, 400) })
    .map(({ from, count }) => ({ must: { key: 'indexed', range: { gte: from, lt: from + count } } })),
  fc.nat(9).map((value) => ({ must_not: { key: 'plain', match: { value } } })),
  fc.tuple(fc.nat(COUNT), fc.nat(9)).map(([from, value]) => ({
    must: [
      { key: 'indexed', range: { gte: from } },
      { key: 'plain', match: { value } },
    ],
  })),
);
const request: fc.Arbitrary<NearestRequest & { vector: { indices: number[]; values: number[] } }> = fc.record({
  vector: query,
  using: fc.constant('words'),
  filter,
  limit: fc.constantFrom(1, 7, 100, 1000),
  offset: fc.constantFrom(0, 3),
  score_threshold: fc.constantFrom(null, 0.3),
});

test('a search answers what a look at every point does, in the same float32', async () => {
  await fc.assert(
    fc.asyncProperty(request, async (asked) => {
      const hits = await engine.nearest('c', asked);
      expect(hits.map(({ id, score }) => [id, score])).toEqual(naive(asked));
    }),
    { numRuns: roundsOf({ quick: 25, long: 1500 }) },
  );
});

test('points that are rewritten while a search runs are neither missed nor found twice', async () => {
  const random = seededRandom(5);
  const ids = [...points.keys()];
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) {
      const moved = Array.from({ length: 20 }, () => points.get(ids[random.integer(ids.length)] ?? 0)).filter(
        (point) => point !== undefined,
      );
      await engine.upsert('c', [...new Map(moved.map((point) => [point.id, point])).values()]);
      const [first] = moved;
      if (first) await engine.setPayload('c', { selector: { points: [first.id] }, payload: { touched: true } });
    }
  })();
  for (let run = 0; run < roundsOf({ quick: 4, long: 200 }); run++) {
    const [asked] = fc.sample(request, { numRuns: 1, seed: run });
    if (asked === undefined) continue;
    const expected = naive(asked);
    const hits = await engine.nearest('c', asked);
    // Equal scores come in the order of rows, which change.
    const order = ([a, left]: readonly number[], [b, right]: readonly number[]) => (right ?? 0) - (left ?? 0) || (a ?? 0) - (b ?? 0);
    expect(hits.map(({ id, score }) => [Number(id), score]).sort(order)).toEqual(expected);
  }
  isWriting = false;
  await writing;
});

function naive({
  vector,
  filter: wanted,
  limit,
  offset,
  score_threshold: threshold,
}: NearestRequest & { vector: { indices: number[]; values: number[] } }): number[][] {
  const hits: number[][] = [];
  for (const [id, { vector: stored, payload }] of points) {
    if (wanted && !matches(wanted, payload as { indexed: number; plain: number })) continue;
    const { words } = stored as { words: { indices: number[]; values: number[] } };
    const components = new Map(words.indices.map((index, at) => [index, words.values[at] ?? 0]));
    const order = vector.indices.map((index, at) => [index, vector.values[at] ?? 0] as const).sort(([a], [b]) => a - b);
    const shared = order.filter(([index]) => components.has(index));
    if (shared.length > 0)
      hits.push([id, shared.reduce((sum, [index, value]) => Math.fround(sum + value * (components.get(index) ?? 0)), 0)]);
  }
  const passing = hits.filter(([, score]) => threshold == null || (score ?? 0) > threshold);
  return passing
    .sort(([a, left], [b, right]) => (right ?? 0) - (left ?? 0) || (a ?? 0) - (b ?? 0))
    .slice(offset ?? 0, (offset ?? 0) + limit);
}

function matches({ must, must_not: mustNot }: Filter, payload: { readonly indexed: number; readonly plain: number }): boolean {
  type Test = { readonly key: 'indexed' | 'plain'; readonly range?: { gte: number; lt?: number }; readonly match?: { value: number } };
  const holds = ({ key, range, match }: Test) =>
    range === undefined
      ? payload[key] === match?.value
      : payload[key] >= range.gte && payload[key] < (range.lt ?? Number.POSITIVE_INFINITY);
  const all = [must ?? []].flat() as readonly Test[];
  const none = [mustNot ?? []].flat() as readonly Test[];
  return all.every(holds) && !none.some(holds);
}
