// SPDX-License-Identifier: Apache-2.0
/**
 * Repair around deleted rows, after the consolidation of FreshDiskANN (arXiv 2105.09613, algorithm 4): a node with links to deleted rows
 * selects its neighbours again among the rows it keeps and the live neighbours of the deleted ones. A pass dooms the tombstones that it
 * finds, unlinks them node by node, and releases them when no link leads to any of them.
 */
import { nearness, pointOf } from '../distance/measure';
import { keyOf } from '../memory/keys';
import {
  DOOMED, NO_ROW, RETIRED, ROW_BOUND, TOMBSTONE, TOMBSTONE_COUNT, blockShift, blockTransit, capacityAt, changeState, isInGraph, levelOf,
  linkCount, linksMax, linksOf, state,
} from '../memory/layout';
import { detours, visit } from '../memory/workspace';
import { beginAlone, endAlone } from '../threads/locks';
import { beatsPool, beginWalk, insertIntoPool, poolCount } from '../walk/pool';
import { chooseEntry, entryRow } from './entry';
import { chooseLinks, forceLink, prepareLinking, relink } from './link';
import { appendLink, hasLink } from './neighbours';
import { beginReconnecting, reconnect } from './reconnect';

/** Deleted rows whose neighbours one node examines for live rows, beyond its own neighbours. */
const BRIDGES_MAX: u32 = 512;

// The parts of a pass.
const RESTING: u32 = 0;
const UNLINKING: u32 = 1;
const RECONNECTING: u32 = 2;

let part: u32 = RESTING;
let passBound: u32 = 0;
let nextRow: u32 = 0;

/** Works on a pass, `limit` rows at most. Returns 1 when the pass is complete, 0 when not, -1 where there is no room to work. */
export function repair(limit: u32): i32 {
  if (part == RESTING && atomic.load<u32>(TOMBSTONE_COUNT) == 0) return 1;
  beginAlone();
  const complete = repairAlone(limit);
  endAlone();
  return complete;
}

function repairAlone(limit: u32): i32 {
  if (!prepareLinking()) return -1;
  if (part == RESTING) begin();
  const left = part == UNLINKING ? unlink(limit) : limit;
  if (part == UNLINKING || (part == RECONNECTING && !reconnect(left))) return 0;
  part = RESTING;
  return 1;
}

/** Returns the rest of the limit. */
function unlink(limit: u32): u32 {
  const start = nextRow;
  const end = nextRow + min(limit, passBound - nextRow);
  for (; nextRow < end; nextRow++) {
    const rowState = state(nextRow);
    if (!isInGraph(rowState) || rowState == DOOMED) continue;
    for (let level: u32 = 0; level <= load<u8>(levelOf(nextRow)); level++) {
      if (leadsToDoomed(linksOf(nextRow, level))) repairNode(nextRow, level);
    }
  }
  if (nextRow < passBound) return 0;
  releaseDoomed();
  part = beginReconnecting(passBound) ? RECONNECTING : RESTING;
  return limit - (nextRow - start);
}

function begin(): void {
  part = UNLINKING;
  nextRow = 0;
  passBound = atomic.load<u32>(ROW_BOUND);
  for (let row: u32 = 0; row < passBound; row++) if (state(row) == TOMBSTONE) changeState(row, TOMBSTONE, DOOMED);
}

/** No link leads to a doomed row any more. */
function releaseDoomed(): void {
  const entry = entryRow();
  if (entry != NO_ROW && state(entry) == DOOMED) chooseEntry();
  for (let row: u32 = 0; row < passBound; row++) {
    if (state(row) != DOOMED) continue;
    atomic.add<u32>(blockTransit(row >> blockShift), 1);
    changeState(row, DOOMED, RETIRED);
    atomic.sub<u32>(TOMBSTONE_COUNT, 1);
  }
}

function leadsToDoomed(links: usize): bool {
  const end = links + (linkCount(links) << 2);
  for (let link = links; link < end; link += 4) if (state(load<u32>(link, 4)) == DOOMED) return true;
  return false;
}

function repairNode(row: u32, level: u32): void {
  gatherCandidates(row, level);
  const links = linksOf(row, level);
  if (poolCount == 0) relink(row, level);
  else chooseLinks(row, level);
  ensureInwardLink(row, links, level);
}

/**
 * Fills the pool with the rows that the node keeps and the neighbours of doomed ones. Where these are few, it continues with doomed
 * neighbours of doomed rows. Rows that were deleted after the pass began count as any other, and are left to the next pass. The queue of
 * doomed rows lies in the memory of the detours.
 */
function gatherCandidates(row: u32, level: u32): void {
  beginWalk(linksMax << 3);
  visit(row);
  const point = pointOf(row);
  let queued = gatherFrom(row, level, point, 0);
  const own = queued;
  for (let next: u32 = 0; next < queued; next++) {
    if (next >= own && (poolCount >= linksMax << 3 || next >= own + BRIDGES_MAX)) return;
    queued = gatherFrom(load<u32>(detours + (next << 2)), level, point, queued);
  }
}

function gatherFrom(row: u32, level: u32, point: usize, queued: u32): u32 {
  const links = linksOf(row, level);
  const end = links + (linkCount(links) << 2);
  for (let link = links; link < end; link += 4) {
    const neighbour = load<u32>(link, 4);
    if (!visit(neighbour)) continue;
    if (state(neighbour) == DOOMED) {
      store<u32>(detours + (queued++ << 2), neighbour);
    } else {
      const key = keyOf(nearness(point, pointOf(neighbour)), neighbour);
      if (beatsPool(key)) insertIntoPool(key);
    }
  }
  return queued;
}

/** The only links to this row may have come from deleted rows: some neighbour must link back. */
function ensureInwardLink(row: u32, links: usize, level: u32): void {
  const count = linkCount(links);
  let taken = false;
  for (let i: u32 = 0; i < count; i++) {
    const back = linksOf(load<u32>(links + (i << 2), 4), level);
    if (hasLink(back, row)) {
      taken = true;
    } else if (linkCount(back) < capacityAt(level)) {
      appendLink(back, row);
      taken = true;
    }
  }
  if (!taken && count > 0) forceLink(load<u32>(links, 4), level, row);
}
