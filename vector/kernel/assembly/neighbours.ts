/** Which neighbours a node keeps, and how lists of links change under readers that take no lock. */
import { keyOf, orderIn, rowOf } from './keys';
import { nearness, pointOf } from './measure';

/** Whether one point is as near to another as to itself: they are equal, or as good as equal to the metric. */
// @ts-ignore: decorator
@inline export function isDuplicate(between: u32, toItself: u32): bool { return between == toItself; }

/**
 * The heuristic of algorithm 4 of arXiv 1603.09320: of candidates sorted by distance to the base, one is kept unless a kept one is
 * nearer to it than the base is; covered ones fill up to `fill`. Duplicates of the base come first, as many as `duplicatesMax`:
 * they cover nothing, and must be neither all of a list nor dropped from it (see `findParent`).
 * Writes the chosen rows to `chosen`, which must not overlap `candidates`, and returns their count. Overwrites `candidates`.
 */
export function selectNeighbours(
  base: usize, candidates: usize, count: u32, limit: u32, duplicatesMax: u32, fill: u32, chosen: usize,
): u32 {
  const toItself = nearness(base, base);
  let duplicates: u32 = 0;
  for (let i: u32 = 0; i < count && duplicates < duplicatesMax; i++) {
    const key = load<u64>(candidates + (i << 3));
    if (isDuplicate(orderIn(key), toItself)) store<u32>(chosen + (duplicates++ << 2), rowOf(key));
  }
  let kept = duplicates;
  let covered: u32 = 0;
  for (let i: u32 = 0; i < count && kept < limit; i++) {
    const key = load<u64>(candidates + (i << 3));
    const toBase = orderIn(key);
    if (isDuplicate(toBase, toItself)) continue;
    // Covered keys move to the front of the candidates, where all have been read.
    if (isCovered(pointOf(rowOf(key)), toBase, chosen, duplicates, kept)) store<u64>(candidates + (covered++ << 3), key);
    else store<u32>(chosen + (kept++ << 2), rowOf(key));
  }
  for (let i: u32 = 0; i < covered && kept < fill; i++) {
    store<u32>(chosen + (kept++ << 2), rowOf(load<u64>(candidates + (i << 3))));
  }
  return kept;
}

function isCovered(point: usize, toBase: u32, chosen: usize, from: u32, to: u32): bool {
  for (let i = from; i < to; i++) {
    if (nearness(point, pointOf(load<u32>(chosen + (i << 2)))) < toBase) return true;
  }
  return false;
}

/** Adds a key to sorted keys that have room for it. */
export function insertSorted(keys: usize, count: u32, key: u64): void {
  let at = keys + (count << 3);
  for (; at > keys; at -= 8) {
    const before = load<u64>(at - 8);
    if (before < key) break;
    store<u64>(at, before);
  }
  store<u64>(at, key);
}

/** Entries first, then the count: whatever mixture a reader sees, each entry is a row that was linked here. */
export function writeLinks(links: usize, rows: usize, count: u32): void {
  memory.copy(links + 4, rows, count << 2);
  atomic.store<u32>(links, count);
}

export function appendLink(links: usize, row: u32): void {
  const count = load<u32>(links);
  store<u32>(links + (count << 2), row, 4);
  atomic.store<u32>(links, count + 1);
}

export function hasLink(links: usize, row: u32): bool {
  const end = links + (load<u32>(links) << 2);
  for (let link = links; link < end; link += 4) if (load<u32>(link, 4) == row) return true;
  return false;
}

/** Sorted keys of the linked rows by their nearness to a point; returns their count. */
export function sortLinks(links: usize, point: usize, keys: usize): u32 {
  const count = load<u32>(links);
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(links + (i << 2), 4);
    insertSorted(keys, i, keyOf(nearness(point, pointOf(row)), row));
  }
  return count;
}
