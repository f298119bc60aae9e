// SPDX-License-Identifier: Apache-2.0
/** Answers put together from shards against the answer of all points at once. */
import { seededRandom } from '@sextant/foundation-std';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawFrom } from './draw.ts';
import { gatherFacet } from './facet.ts';
import { mergePages } from './merge.ts';

test('the most frequent values are those of all shards, in their order, however few a shard is asked for at first', async () => {
  const shard = fc.dictionary(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 2 }),
    fc.integer({ min: 1, max: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(shard, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 6 }), async (shards, limit) => {
      const sums = new Map<string, number>();
      for (const [value, count] of shards.flatMap((each) => Object.entries(each))) sums.set(value, (sums.get(value) ?? 0) + count);
      const ask = async (asked: number) => shards.map((each) => frequent(Object.entries(each)).slice(0, asked));
      expect(await gatherFacet(ask, { limit, spare: 0 })).toEqual(frequent([...sums]).slice(0, limit));
    }),
  );
});

test('a field with a value for each of very many points has its most frequent ones, too', async () => {
  const each = (shard: string) =>
    Array.from({ length: 70_000 }, (_, index) => ({ value: `${shard}${String(index).padStart(6, '0')}`, count: 1 }));
  const shards = [each('a'), each('b')];
  const ask = async (asked: number) => shards.map((values) => values.slice(0, asked));
  // Asked for all at once: that more are asked for again and again is what the property above is about.
  expect(await gatherFacet(ask, { limit: 2, spare: 100_000 })).toEqual([
    { value: 'a000000', count: 1 },
    { value: 'a000001', count: 1 },
  ]);
});

test('pages follow each other through all shards without gap or repetition', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 20 });
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }), (all, shards, limit) => {
      const seen: number[] = [];
      for (let from: number | null = 0; from !== null; ) {
        const start: number = from;
        const pages = Array.from({ length: shards }, (_, shard) => {
          const own = all.filter((id) => id % shards === shard && id >= start).toSorted((one, other) => one - other);
          return { points: own.slice(0, limit).map((id) => ({ id })), next_page_offset: own[limit] ?? null };
        });
        const page = mergePages(pages, limit);
        seen.push(...page.points.map(({ id }) => Number(id)));
        from = page.next_page_offset === null ? null : Number(page.next_page_offset);
      }
      expect(seen).toEqual(all.toSorted((one, other) => one - other));
    }),
  );
});

test('every point of every shard is as likely to be drawn as every other', () => {
  const random = seededRandom(7);
  const times = new Map<string, number>();
  const shards = [['a'], ['b', 'c', 'd', 'e', 'f'], []];
  for (let round = 0; round < 6000; round++) {
    const drawn = shards.map((shard) => {
      const from = random.integer(Math.max(1, shard.length));
      return [...shard.slice(from), ...shard.slice(0, from)].slice(0, 1);
    });
    for (const point of drawFrom(drawn, { counts: [1, 5, 0], limit: 1, random })) times.set(point, (times.get(point) ?? 0) + 1);
  }
  expect([...times.keys()].toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  // A thousand each, and a standard deviation of 29.
  for (const count of times.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

function frequent(counts: readonly (readonly [string, number])[]) {
  return counts
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}
