// SPDX-License-Identifier: Apache-2.0
/**
 * The most frequent values over all shards, exactly. Each shard gives its most frequent ones; a value that a shard did not give is there at most as often as
 * the last one that it gave. So it is known when no other value can belong to the answer, and how often those that do are there; until then all shards are
 * asked for twice as many (as the threshold algorithms of Fagin, Lotem, Naor, "Optimal aggregation algorithms for middleware", PODS 2001, without random access).
 */
import type { FacetHit } from '@sextant/contracts-vector';

/** Beyond what is wanted, since the most frequent values of a shard are seldom those of all. */
const SPARE = 16;

/** @param spare asked for at first beyond what is wanted */
export async function gatherFacet(
  ask: (limit: number) => Promise<readonly (readonly FacetHit[])[]>,
  { limit, spare = SPARE }: { readonly limit: number; readonly spare?: number },
): Promise<readonly FacetHit[]> {
  for (let asked = limit + spare; ; asked *= 2) {
    const lists = await ask(asked);
    const top = certainTop(lists, { limit, asked });
    if (top !== undefined) return top;
  }
}

type Sum = { readonly value: FacetHit['value']; count: number; readonly lists: Set<number> };

/** Undefined where what was not given could change the answer. */
function certainTop(
  lists: readonly (readonly FacetHit[])[],
  { limit, asked }: { readonly limit: number; readonly asked: number },
): readonly FacetHit[] | undefined {
  /** How often a value that a list does not name may be in its shard. */
  const unnamed = lists.map((list) => (list.length < asked ? 0 : (list.at(-1)?.count ?? 0)));
  const sums = new Map<string, Sum>();
  for (const [number, list] of lists.entries()) {
    for (const { value, count } of list) {
      const key = `${typeof value} ${value}`;
      const sum = sums.get(key) ?? { value, count: 0, lists: new Set() };
      sums.set(key, sum);
      sum.count += count;
      sum.lists.add(number);
    }
  }
  const atMost = (sum: Sum) => unnamed.reduce((most, count, list) => (sum.lists.has(list) ? most : most + count), sum.count);
  const all = [...sums.values()].sort((one, other) => other.count - one.count || compareValues(one.value, other.value));
  const top = all.slice(0, limit);
  if (top.some((sum) => atMost(sum) > sum.count)) return undefined;
  const least = top.length < limit ? 0 : (top.at(-1)?.count ?? 0);
  // A list of arguments has no room for as many values as a field may have.
  const others = all.slice(limit).reduce(
    (most, sum) => Math.max(most, atMost(sum) > sum.count ? atMost(sum) : 0),
    unnamed.reduce((sum, count) => sum + count, 0),
  );
  // Equally frequent values are told apart by their order, so none of them may be missing.
  if (others > 0 && others >= least) return undefined;
  return top.map(({ value, count }) => ({ value, count }));
}

/** As the index of a field orders them. */
function compareValues(one: FacetHit['value'], other: FacetHit['value']): number {
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return Number(one > other) - Number(one < other);
}
