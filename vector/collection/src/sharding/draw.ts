// SPDX-License-Identifier: Apache-2.0
/** Points drawn at random from all shards: every point as likely as every other. */
import type { Random } from '@sextant/foundation-std';

/**
 * @param drawn what was drawn from each shard, in the order in which it was drawn
 * @param counts how many points each shard has that could have been drawn
 */
export function drawFrom<Item>(
  drawn: readonly (readonly Item[])[],
  { counts, limit, random }: { readonly counts: readonly number[]; readonly limit: number; readonly random: Random },
): readonly Item[] {
  const taken = drawn.map(() => 0);
  const left = drawn.map((items, shard) => (items.length === 0 ? 0 : Math.max(items.length, counts[shard] ?? 0)));
  const chosen: Item[] = [];
  while (chosen.length < limit) {
    const total = left.reduce((sum, count) => sum + count, 0);
    if (total === 0) break;
    let at = random.integer(total);
    const shard = left.findIndex((count) => {
      at -= count;
      return at < 0;
    });
    const item = drawn[shard]?.[taken[shard] ?? 0];
    taken[shard] = (taken[shard] ?? 0) + 1;
    left[shard] = item === undefined ? 0 : (left[shard] ?? 0) - 1;
    if (item !== undefined) chosen.push(item);
  }
  return chosen;
}
