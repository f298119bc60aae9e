// SPDX-License-Identifier: Apache-2.0
/**
 * The graph walk: algorithms 2 and 5 of Malkov and Yashunin, arXiv 1603.09320. The two heaps of the paper become one sorted pool of the
 * `ef` nearest accepted rows, whose unexpanded keys are the candidates, and a heap of detours: rows that lead on but may not be answered.
 * The walk ends when the nearest candidate of both is farther than the last of a full pool.
 */
import { nearness, pointOf, setQuery } from '../distance/measure';
import { keyOf, orderIn, rowOf } from '../memory/keys';
import { levelOf, linkCount, linksOf } from '../memory/layout';
import { EXPANSION_BATCH, batch, clearVisited, visit, visitedRows } from '../memory/workspace';
import { measureBatch, prefetchBatch } from './batch';
import { NO_KEY, beginWalk, expandNearest, mergeBatch, nextCandidate, offer, poolBound, poolCount, prefetchNext } from './pool';

/**
 * From this size on the pool merges whole batches. On 100,000 GloVe-100 vectors this saves 7 % of the time with ef 640, 13 % with 1280 and
 * 24 % with 2560.
 */
const MERGED_FROM: u32 = 256;

/**
 * Adds the neighbours that this walk has not visited to the batch, from `last` on. Returns the batch's new end. Which of them are new
 * cannot be predicted, so there is no branch on it: each is written, and the next one overwrites it unless it counts.
 */
function gather(row: u32, level: u32, last: usize): usize {
  if (level > 0 && level > load<u8>(levelOf(row))) return last;
  const links = linksOf(row, level);
  const end = links + (linkCount(links) << 2);
  const bound = visitedRows;
  for (let link = links; link < end; link += 4) {
    const neighbour = load<u32>(link, 4);
    // The row was put after this search began, so the search need not find it.
    if (neighbour >= bound) continue;
    store<u32>(last, neighbour);
    last += u32(visit(neighbour)) << 3;
  }
  return last;
}

/** Compares the batch and keeps the keys that enter the pool, again without branches. */
function chooseFromBatch(end: usize, from: usize): usize {
  prefetchBatch(end);
  measureBatch(from, end);
  const bound = poolBound();
  let last = batch;
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    store<u64>(last, key);
    last += u32(key < bound) << 3;
  }
  return last;
}

function offerBatch(end: usize): void {
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    offer(rowOf(key), key);
  }
}

/** Fills the pool with the `ef` nearest rows of a level that may be answered. Only the nearest `expanded` of them are expanded. */
export function walk(entry: u32, level: u32, ef: u32, expanded: u32, from: usize): void {
  beginWalk(ef);
  expandNearest(expanded);
  setQuery(from);
  visit(entry);
  offer(entry, keyOf(nearness(from, pointOf(entry)), entry));
  for (;;) {
    const key = nextCandidate();
    if (key == NO_KEY) return;
    let last = gather(rowOf(key), level, batch);
    for (let more: u32 = 1; more < EXPANSION_BATCH; more++) {
      const next = nextCandidate();
      if (next == NO_KEY) break;
      last = gather(rowOf(next), level, last);
    }
    prefetchNext(level);
    const end = chooseFromBatch(last, from);
    if (poolCount >= MERGED_FROM) mergeBatch(end);
    else offerBatch(end);
  }
}

/** The row that greedy steps from `entry` reach, from level `top` down to `bottom` inclusive. */
export function descend(entry: u32, top: u32, bottom: u32, from: usize): u32 {
  if (top < bottom) return entry;
  setQuery(from);
  let row = entry;
  let nearest = nearness(from, pointOf(row));
  // Rows visited at one level were not nearer than the present row, so they need not be visited again below.
  clearVisited();
  visit(row);
  for (let level = top; level >= bottom; level--) {
    for (let moved = true; moved; ) {
      moved = false;
      const end = gather(row, level, batch);
      prefetchBatch(end);
      measureBatch(from, end);
      for (let at = batch; at < end; at += 8) {
        const key = load<u64>(at);
        if (orderIn(key) >= nearest) continue;
        nearest = orderIn(key);
        row = rowOf(key);
        moved = true;
      }
    }
  }
  return row;
}
