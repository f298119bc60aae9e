// SPDX-License-Identifier: Apache-2.0
/**
 * The last part of a repair: selecting neighbours again can leave a row without incoming links, above all among equal vectors. A
 * breadth-first search over level 0 marks the rows that the entry point reaches; each live row that it does not reach is linked from the
 * nearest one that it does. Both work in steps, between which the graph may change: a late mark costs a superfluous link, or leaves a row
 * to the next repair.
 */
import { allocate, release } from '../memory/allocator';
import { rowOf } from '../memory/keys';
import { NO_ROW, baseLinksOf, isInGraph, isLive, linkCount, state } from '../memory/layout';
import { poolCount, poolKey } from '../walk/pool';
import { entryRow } from './entry';
import { findNear, forceLink } from './link';
import { hasLink } from './neighbours';

/** One bit for each row below `bound` that the entry point reaches. The queue of reached rows follows the bits. */
let reached: usize = 0;
let queue: usize = 0;
let bound: u32 = 0;
let queueStart: u32 = 0;
let queueEnd: u32 = 0;
let nextRow: u32 = 0;

function bitBytes(): u32 {
  return ((bound + 127) >> 7) << 4;
}

/** Returns false where there is no memory for the marks. */
export function beginReconnecting(rowBound: u32): bool {
  bound = rowBound;
  reached = allocate(bitBytes() + (bound << 2));
  if (reached == 0) return false;
  memory.fill(reached, 0, bitBytes());
  queue = reached + bitBytes();
  queueStart = queueEnd = nextRow = 0;
  const entry = entryRow();
  if (entry != NO_ROW) reach(entry);
  return true;
}

/** Works on `limit` rows at most. Returns true when all is done. */
export function reconnect(limit: u32): bool {
  let left = limit;
  for (; left > 0 && queueStart < queueEnd; left--) reachNeighbours();
  for (; left > 0 && nextRow < bound; left--) {
    const row = nextRow++;
    if (isReached(row) || !isInGraph(state(row)) || !isLive(state(row))) continue;
    attachRow(row);
    while (queueStart < queueEnd) reachNeighbours();
  }
  if (queueStart < queueEnd || nextRow < bound) return false;
  release(reached, bitBytes() + (bound << 2));
  return true;
}

function isReached(row: u32): bool {
  return row >= bound || ((load<u32>(reached + ((row >> 5) << 2)) >> (row & 31)) & 1) != 0;
}

function reach(row: u32): void {
  if (isReached(row)) return;
  const word = reached + ((row >> 5) << 2);
  store<u32>(word, load<u32>(word) | (1 << (row & 31)));
  store<u32>(queue + (queueEnd++ << 2), row);
}

function reachNeighbours(): void {
  const row = load<u32>(queue + (queueStart++ << 2));
  if (!isInGraph(state(row))) return;
  const links = baseLinksOf(row);
  const end = links + (linkCount(links) << 2);
  for (let link = links; link < end; link += 4) reach(load<u32>(link, 4));
}

function attachRow(row: u32): void {
  let near = entryRow();
  if (near == NO_ROW) return;
  findNear(row, 0);
  for (let i: u32 = 0; i < poolCount; i++) {
    const candidate = rowOf(poolKey(i));
    if (!isReached(candidate)) continue;
    near = candidate;
    break;
  }
  reach(row);
  if (near != row && !hasLink(baseLinksOf(near), row)) forceLink(near, 0, row);
}
