// SPDX-License-Identifier: Apache-2.0
/**
 * The walk among the rows that pass a filter, after ACORN-1 (arXiv 2403.04871, section 5), which derives the graph of these rows on the
 * way. Where too few neighbours of a row pass, the neighbours of those that fail replace them, and distances are computed only for rows
 * that pass. Unlike the paper, the walk begins not only at the entry point but also at rows from the whole filter, so that it finds rows
 * that are far from the query or in several places.
 */
import { setQuery } from '../distance/measure';
import { rowOf } from '../memory/keys';
import { INDEXED, LINKED, baseLinkBytes, baseLinksOf, capacityAt, isLive, linkCount, state } from '../memory/layout';
import { prefetch } from '../memory/prefetch';
import { EXPANSION_BATCH, batch, detours, visit, visitedRows } from '../memory/workspace';
import { measureBatch, prefetchBatch } from './batch';
import { filter, filterRows, passes } from './filter';
import { NO_KEY, beatsPool, beginWalk, insertIntoPool, nextCandidate } from './pool';

/** Rows of the filter that the walk begins at, and words of the filter that are probed for them. */
const SEEDS: u32 = 32;
const PROBES_MAX: u32 = 1024;
/** The fraction of the golden ratio, of 2^32: its multiples are spread evenly. Knuth, The Art of Computer Programming 3, section 6.4. */
const GOLDEN: u32 = 2654435769;
/** Lists of links that are prefetched before they are read. */
const PREFETCH_DISTANCE: u32 = 3;

/**
 * How many passing rows each row is to lead to, whether this walk has visited them or not, and how many more the present row needs. Three
 * quarters of a list of links are as many as an unfiltered walk finds: with half, recall falls by 0.02; with all, the time rises by a
 * third.
 */
let wantedMax: i32 = 0;
let wanted: i32 = 0;

/** Fills the pool with the `ef` nearest passing rows of level 0. */
export function walkFiltered(start: u32, ef: u32, from: usize): void {
  beginWalk(ef);
  setQuery(from);
  wantedMax = (capacityAt(0) * 3 + 3) >> 2;
  visit(start);
  if (passes(start)) {
    store<u32>(batch, start);
    offerBatch(batch + 8, from);
  } else {
    offerBatch(gatherPassing(start, batch), from);
  }
  offerBatch(gatherSeeds(), from);
  for (;;) {
    const key = nextCandidate();
    if (key == NO_KEY) return;
    let last = gatherPassing(rowOf(key), batch);
    for (let more: u32 = 1; more < EXPANSION_BATCH; more++) {
      const next = nextCandidate();
      if (next == NO_KEY) break;
      last = gatherPassing(rowOf(next), last);
    }
    offerBatch(last, from);
  }
}

function offerBatch(end: usize, from: usize): void {
  prefetchBatch(end);
  measureBatch(from, end);
  for (let entry = batch; entry < end; entry += 8) {
    const key = load<u64>(entry);
    if (beatsPool(key) && isLive(state(rowOf(key)))) insertIntoPool(key);
  }
}

// @ts-ignore: decorator
@inline function isInReach(row: u32): bool {
  const rowState = state(row);
  return rowState == INDEXED || rowState == LINKED;
}

/**
 * Adds passing rows to the batch from `last` on, no more than a list of links holds: neighbours first, then neighbours of those that fail.
 */
function gatherPassing(row: u32, last: usize): usize {
  const links = baseLinksOf(row);
  const end = links + (linkCount(links) << 2);
  wanted = wantedMax;
  let failing: u32 = 0;
  for (let link = links; link < end; link += 4) {
    const neighbour = load<u32>(link, 4);
    // The row was put after this search began, so the search need not find it.
    if (neighbour >= visitedRows) continue;
    if (passes(neighbour)) {
      last = take(neighbour, last);
      continue;
    }
    if (failing < PREFETCH_DISTANCE) prefetch(baseLinksOf(neighbour), baseLinkBytes);
    // The heap of detours is not in use here.
    store<u32>(detours + (failing++ << 2), neighbour);
  }
  for (let i: u32 = 0; i < failing && wanted > 0; i++) {
    if (i + PREFETCH_DISTANCE < failing) prefetch(baseLinksOf(load<u32>(detours + ((i + PREFETCH_DISTANCE) << 2))), baseLinkBytes);
    last = gatherBeyond(load<u32>(detours + (i << 2)), last);
  }
  return last;
}

/** Adds the passing neighbours of a row that fails, unless this walk has visited it. */
function gatherBeyond(row: u32, start: usize): usize {
  if (!visit(row)) return start;
  let last = start;
  const links = baseLinksOf(row);
  const end = links + (linkCount(links) << 2);
  for (let link = links; link < end && wanted > 0; link += 4) {
    const neighbour = load<u32>(link, 4);
    if (neighbour < visitedRows && passes(neighbour)) last = take(neighbour, last);
  }
  return last;
}

// @ts-ignore: decorator
@inline function take(row: u32, last: usize): usize {
  wanted--;
  if (!visit(row)) return last;
  store<u32>(last, row);
  return last + 8;
}

/** Adds rows of the graph from the whole filter, one from each probed word and no more than the batch holds. */
function gatherSeeds(): usize {
  const words = (min(filterRows, visitedRows) + 31) >> 5;
  const full = batch + (min(SEEDS, capacityAt(0)) << 3);
  let last = batch;
  let at: u32 = 0;
  for (let probe: u32 = 0; probe < PROBES_MAX && last < full; probe++) {
    at += GOLDEN;
    const word = <u32>((<u64>at * words) >> 32);
    const bits = load<u32>(filter + (word << 2));
    if (bits == 0) continue;
    const row = (word << 5) + ctz(bits);
    if (row >= visitedRows || !isInReach(row) || !visit(row)) continue;
    store<u32>(last, row);
    last += 8;
  }
  return last;
}

/** The share of passing rows among the neighbours of a row's neighbours. A row in several lists counts several times. */
export function passingShareAround(row: u32): f64 {
  const links = baseLinksOf(row);
  const end = links + (linkCount(links) << 2);
  for (let link = links; link < end; link += 4) prefetch(baseLinksOf(load<u32>(link, 4)), baseLinkBytes);
  let met: u32 = 0;
  let passing: u32 = 0;
  for (let link = links; link < end; link += 4) {
    const list = baseLinksOf(load<u32>(link, 4));
    const listEnd = list + (linkCount(list) << 2);
    for (let at = list; at < listEnd; at += 4) {
      met++;
      passing += u32(passes(load<u32>(at, 4)));
    }
  }
  return met == 0 ? 1 : <f64>passing / <f64>met;
}
