// SPDX-License-Identifier: Apache-2.0
/** One list from the sorted lists of several shards. */
import type { PointId, ScrollResult } from '@sextant/contracts-vector';
import { comparePointIds } from '@sextant/vector-storage';
import type { VersionedRecord } from '../model/requests.ts';

type Scrolled = ScrollResult & { readonly points: readonly VersionedRecord[] };

/** The first `count` of all lists; among equals those of earlier lists come first. */
export function mergeSorted<Item>(
  lists: readonly (readonly Item[])[],
  compare: (one: Item, other: Item) => number,
  count: number,
): readonly Item[] {
  const heads = lists.map(() => 0);
  const merged: Item[] = [];
  while (merged.length < count) {
    let best: { readonly list: number; readonly item: Item } | undefined;
    for (const [list, items] of lists.entries()) {
      const item = items[heads[list] ?? 0];
      if (item !== undefined && (best === undefined || compare(item, best.item) < 0)) best = { list, item };
    }
    if (best === undefined) break;
    merged.push(best.item);
    heads[best.list] = (heads[best.list] ?? 0) + 1;
  }
  return merged;
}

/**
 * A page in the order of ids. Where the next one begins is the smallest id that any shard has and this page has not. Keys may each have a point of one id; a page
 * ends with the last of these, so it may be longer than was asked for.
 */
export function mergePages(pages: readonly Scrolled[], limit: number): Scrolled {
  const ahead = mergeSorted(
    pages.map((page) => page.points),
    (one, other) => comparePointIds(one.id, other.id),
    limit + pages.length - 1,
  );
  const last = ahead[limit - 1];
  const points = ahead.filter(({ id }, place) => place < limit || id === last?.id);
  const shown = new Set(points.map(({ id }) => id));
  let next: PointId | null = null;
  for (const page of pages) {
    const first = page.points.find(({ id }) => !shown.has(id))?.id ?? page.next_page_offset;
    if (first !== null && (next === null || comparePointIds(first, next) < 0)) next = first;
  }
  return { points, next_page_offset: next };
}

/** In the order of a field, and of ids where it is equal. */
export function mergeOrdered(
  pages: readonly Scrolled[],
  { limit, isDescending }: { readonly limit: number; readonly isDescending: boolean },
) {
  const sign = isDescending ? -1 : 1;
  const compare = (one: VersionedRecord, other: VersionedRecord) => {
    const [value, otherValue] = [one.order_value ?? 0, other.order_value ?? 0];
    if (value < otherValue) return -sign;
    if (value > otherValue) return sign;
    return sign * comparePointIds(one.id, other.id);
  };
  const points = mergeSorted(
    pages.map((page) => page.points),
    compare,
    limit,
  );
  return { points, next_page_offset: null };
}
