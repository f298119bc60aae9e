// SPDX-License-Identifier: Apache-2.0
/** Selects the neighbours of a node, and changes lists of links while readers read them without a lock. */
import { codeOrders } from '../distance/code-distance';
import { inFours, nearness, pointOf, setQuery, shortened } from '../distance/measure';
import { insertSorted, orderIn, rowOf } from '../memory/keys';
import { linkCount, setLinkCount } from '../memory/layout';
import { batch } from '../memory/workspace';
import { measureBatch, prefetchBatch } from '../walk/batch';

/** Whether one point is as near to another as to itself: the metric does not distinguish them. */
// @ts-ignore: decorator
@inline export function isDuplicate(between: u32, toItself: u32): bool { return between == toItself; }

/** Bytes of an open candidate: the address of its point; the order below which a kept point covers it; its index. */
const OPEN_BYTES: u32 = 16;
const ALWAYS_COVERED: u32 = 0xffffffff;
/** Candidates that are processed together. The limit is often reached before the last portion. */
const PORTION: u32 = 64;
/** Room for the open candidates of a portion, and for what pads the last four. */
export const OPEN_BYTES_MAX: u32 = (PORTION + 3) * OPEN_BYTES;

/**
 * The heuristic of algorithm 4 of arXiv 1603.09320. Of candidates sorted by distance to the base, one is kept unless a kept one is clearly
 * nearer to it than the base is; covered candidates fill the list up to `fill`. Clearly means by the factor alpha of DiskANN (Subramanya et
 * al., NeurIPS 2019, algorithm 2), here of squared distances. Duplicates of the base come first, at most `duplicatesMax`: they cover
 * nothing, must not fill the list, and must not be dropped from it (see `findParent`).
 *
 * Writes the chosen rows to `chosen` and returns their number. Overwrites `candidates`, and OPEN_BYTES_MAX bytes at `open`: the candidates
 * of a portion that no kept point covers yet. Each kept candidate is compared with all of them at once.
 */
export function selectNeighbours(
  base: usize, candidates: usize, count: u32, limit: u32, duplicatesMax: u32, fill: u32, chosen: usize, open: usize,
): u32 {
  const toItself = nearness(base, base);
  let duplicates: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const key = load<u64>(candidates + (i << 3));
    const isSame = isDuplicate(orderIn(key), toItself);
    if (isSame && duplicates < duplicatesMax) store<u32>(chosen + (duplicates++ << 2), rowOf(key));
    // From here on the lowest bit marks a settled key.
    store<u64>(candidates + (i << 3), isSame ? key | 1 : key & ~(<u64>1));
  }
  let kept = duplicates;
  for (let from: u32 = 0; from < count && kept < limit; from += PORTION) {
    let end = openPortion(candidates, from, min(from + PORTION, count), toItself, open);
    for (let i = duplicates; i < kept && end > open; i++) end = dropCovered(pointOf(load<u32>(chosen + (i << 2))), open, open, end);
    while (end > open && kept < limit) {
      const nearest = candidates + (load<u32>(open, 8) << 3);
      const key = load<u64>(nearest);
      store<u32>(chosen + (kept++ << 2), rowOf(key));
      store<u64>(nearest, key | 1);
      end = dropCovered(load<u32>(open), open + OPEN_BYTES, open, end);
    }
  }
  for (let i: u32 = 0; i < count && kept < fill; i++) {
    const key = load<u64>(candidates + (i << 3));
    if ((key & 1) == 0) store<u32>(chosen + (kept++ << 2), rowOf(key));
  }
  return kept;
}

/** Writes the candidates that are not settled to `open`. Returns their end. */
function openPortion(candidates: usize, from: u32, to: u32, toItself: u32, open: usize): usize {
  let end = open;
  for (let i = from; i < to; i++) {
    const key = load<u64>(candidates + (i << 3));
    store<u32>(end, <u32>pointOf(rowOf(key)));
    store<u32>(end, shortened(orderIn(key), toItself), 4);
    store<u32>(end, i, 8);
    end += (key & 1) != 0 ? 0 : OPEN_BYTES;
  }
  return end;
}

/** Moves the open candidates in [from, end) that a kept point does not cover to `to`. Returns their end. */
function dropCovered(keptPoint: usize, from: usize, to: usize, end: usize): usize {
  let last = to;
  if (!inFours()) {
    for (let entry = from; entry < end; entry += OPEN_BYTES) last = keepOpen(entry, last, nearness(keptPoint, load<u32>(entry)));
    return last;
  }
  if (from == end) return last;
  setQuery(keptPoint);
  // Whole fours: the last is padded with any point, whose result does not count.
  for (let pad = end; pad < end + 3 * OPEN_BYTES; pad += OPEN_BYTES) {
    store<u32>(pad, <u32>keptPoint);
    store<u32>(pad, ALWAYS_COVERED, 4);
  }
  for (let a = from; a < end; a += OPEN_BYTES << 2) {
    const b = a + OPEN_BYTES, c = b + OPEN_BYTES, d = c + OPEN_BYTES;
    const orders = codeOrders(load<u32>(a), load<u32>(b), load<u32>(c), load<u32>(d));
    last = keepOpen(a, last, i32x4.extract_lane(orders, 0));
    last = keepOpen(b, last, i32x4.extract_lane(orders, 1));
    last = keepOpen(c, last, i32x4.extract_lane(orders, 2));
    last = keepOpen(d, last, i32x4.extract_lane(orders, 3));
  }
  return last;
}

/** Copies a candidate to `last`, where the next one overwrites it unless it stays open. Returns where the next one goes. */
// @ts-ignore: decorator
@inline function keepOpen(entry: usize, last: usize, order: u32): usize {
  const bound = load<u32>(entry, 4);
  v128.store(last, v128.load(entry));
  return last + (<usize>u32(order >= bound)) * OPEN_BYTES;
}

/** Entries first, then the count: whatever mixture a reader sees, each entry is a row that was linked here. */
export function writeLinks(links: usize, rows: usize, count: u32): void {
  memory.copy(links + 4, rows, count << 2);
  setLinkCount(links, count);
}

export function appendLink(links: usize, row: u32): void {
  const count = linkCount(links);
  store<u32>(links + (count << 2), row, 4);
  setLinkCount(links, count + 1);
}

/** Replaces a row by another, unless that is already in the list. */
export function replaceLink(links: usize, old: u32, row: u32): void {
  if (hasLink(links, row)) return;
  const end = links + (linkCount(links) << 2);
  for (let link = links; link < end; link += 4) if (load<u32>(link, 4) == old) store<u32>(link, row, 4);
}

export function hasLink(links: usize, row: u32): bool {
  const end = links + (linkCount(links) << 2);
  for (let link = links; link < end; link += 4) if (load<u32>(link, 4) == row) return true;
  return false;
}

/** Writes the keys of the linked rows, sorted by their nearness to a point. Returns their number. */
export function sortLinks(links: usize, point: usize, keys: usize): u32 {
  const count = linkCount(links);
  const end = batch + (count << 3);
  for (let i: u32 = 0; i < count; i++) store<u32>(batch + (i << 3), load<u32>(links + (i << 2), 4));
  prefetchBatch(end);
  setQuery(point);
  measureBatch(point, end);
  for (let i: u32 = 0; i < count; i++) insertSorted(keys, i, load<u64>(batch + (i << 3)));
  return count;
}
