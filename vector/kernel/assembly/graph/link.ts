// SPDX-License-Identifier: Apache-2.0
/** Insertion into the graph: algorithm 1 of arXiv 1603.09320. The indexer runs it, and linkers run it in parallel; see locks.ts. */
import { calibrateByCodebook } from '../calibration/calibrate-codebook';
import { calibrate, countMisfit, isCalibrationDue } from '../calibration/calibrate';
import { encodeRow } from '../codes/encoding/encode-row';
import { basePointOf, chooseMeasureToLink, nearness, pointOf } from '../distance/measure';
import { insertSorted, keyOf, rowOf } from '../memory/keys';
import {
  BLOCK_COUNT, DOOMED, ENTRY, ENTRY_LOCK, GRAPH_LIVE_COUNT, LINKED, LINKED_SINCE, NO_ROW, PENDING, PENDING_COUNT, RETIRED, ROW_BOUND,
  TOMBSTONE, TOMBSTONE_COUNT, blockMask, blockPending, blockShift, blockStates, blockTransit, capacityAt, changeState, efConstruct,
  hasCodebook, linkCount, linksMax, linksOf, pointBytes, state,
} from '../memory/layout';
import { pool, prepareInput, preparePool, prepareQuery, prepareWalk, visitedRows } from '../memory/workspace';
import { assignLevel, releaseLevels } from '../rows/levels';
import { enter, leave } from '../threads/epochs';
import {
  acquire, beginAlone, claimBlock, endAlone, free, isAloneWanted, joinLinkers, leaveBlock, leaveLinkers, lockList, lockLists, unlockList,
  unlockLists,
} from '../threads/locks';
import { dropFromPool, poolCount } from '../walk/pool';
import { descend, walk } from '../walk/walk';
import { areDuplicates, duplicatesMaxAt, findParent, hasRoomForDuplicate } from './duplicates';
import { setEntry } from './entry';
import { candidates, chosen, copied, linkScratchBytes, open } from './link-scratch';
import { appendLink, hasLink, replaceLink, selectNeighbours, sortLinks, writeLinks } from './neighbours';

/** Parents that are tried for a duplicate; each filled up in the meantime. */
const DUPLICATE_STEPS_MAX: u32 = 16;

/** The block where `link` continues, so that no block waits for ever. */
let nextBlock: u32 = 0;

/** Makes room for changes of the graph. Returns false where the bound of the space leaves none. */
export function prepareLinking(): bool {
  const rowBound = atomic.load<u32>(ROW_BOUND);
  chooseMeasureToLink();
  if (!prepareWalk(rowBound, true) || !preparePool(max<u32>(efConstruct, linksMax << 3))) return false;
  return prepareInput(linkScratchBytes()) && prepareQuery(pointBytes << 1);
}

/** Links up to `limit` pending rows. Returns their number, or -1 where the bound of the space leaves no room to work. */
export function link(limit: u32): i32 {
  if (linksMax == 0) return 0;
  if (hasCodebook) {
    if (!calibrateByCodebook()) return -1;
  } else if (isCalibrationDue()) {
    beginAlone();
    const hasRoom = calibrate();
    endAlone();
    if (!hasRoom) return -1;
  }
  return linkPending(limit);
}

/** As `link`, on a linker's thread. It links nothing while the indexer works alone. */
export function linkBeside(limit: u32): i32 {
  if (linksMax == 0 || !joinLinkers()) return 0;
  enter();
  const linked = linkPending(limit);
  leave();
  leaveLinkers();
  return linked;
}

function linkPending(limit: u32): i32 {
  if (atomic.load<u32>(PENDING_COUNT) == 0) return 0;
  if (!prepareLinking()) return -1;
  let linked: u32 = 0;
  const blocks = atomic.load<u32>(BLOCK_COUNT);
  for (let step: u32 = 0; step < blocks && linked < limit; step++) {
    if (nextBlock >= blocks) nextBlock = 0;
    if (atomic.load<u32>(blockPending(nextBlock)) != 0 && claimBlock(nextBlock)) {
      linked += linkBlock(nextBlock, limit - linked);
      leaveBlock(nextBlock);
    }
    if (linked < limit) nextBlock++;
  }
  return linked;
}

function linkBlock(block: u32, limit: u32): u32 {
  let linked: u32 = 0;
  const states = blockStates(block);
  for (let i: u32 = 0; i <= blockMask && linked < limit && !isAloneWanted(); i++) {
    if (atomic.load<u8>(states + i) != PENDING) continue;
    // A row that was put after the scratch memory was sized waits for the next call.
    const row = (block << blockShift) + i;
    if (row >= visitedRows || !linkRow(row)) break;
    markLinked(row);
    linked++;
  }
  return linked;
}

/** Marks the row as linked, unless the writer has removed it in the meantime. */
function markLinked(row: u32): void {
  const block = row >> blockShift;
  atomic.add<u32>(blockTransit(block), 1);
  atomic.add<u32>(GRAPH_LIVE_COUNT, 1);
  if (changeState(row, PENDING, LINKED)) {
    atomic.sub<u32>(PENDING_COUNT, 1);
    atomic.sub<u32>(blockPending(block), 1);
    return;
  }
  atomic.sub<u32>(GRAPH_LIVE_COUNT, 1);
  atomic.add<u32>(TOMBSTONE_COUNT, 1);
  changeState(row, RETIRED, TOMBSTONE);
  // Once for this call, once for the removal, which counted the row as retired.
  atomic.sub<u32>(blockTransit(block), 2);
}

/** Returns false, and leaves the row as it was, where the bound of the space leaves no room to work. */
function linkRow(row: u32): bool {
  const entry = atomic.load<u64>(ENTRY);
  if (!canWalkFrom(<u32>entry)) return false;
  encodeRow(row);
  countMisfit(row);
  const level = assignLevel(row);
  let isLinked = <u32>entry != NO_ROW && level <= <u32>(entry >> 32) && linkBelow(row, level, entry);
  if (!isLinked) {
    acquire(ENTRY_LOCK);
    isLinked = linkAtTop(row, level);
    free(ENTRY_LOCK);
  }
  if (isLinked) atomic.add<u32>(LINKED_SINCE, 1);
  else releaseLevels(row);
  return isLinked;
}

/** Another linker may have made a row the entry point that was put after the scratch memory was sized. */
function canWalkFrom(entry: u32): bool {
  return entry == NO_ROW || entry < visitedRows || prepareLinking();
}

/** The entry point may have changed before this thread got the lock. Returns false where there is no room to walk from it. */
function linkAtTop(row: u32, level: u32): bool {
  const entry = atomic.load<u64>(ENTRY);
  if (!canWalkFrom(<u32>entry)) return false;
  const isLinked = <u32>entry != NO_ROW && linkBelow(row, level, entry);
  // Without a live neighbour no link leads to the row, so it becomes the entry point; the repair removes the deleted rows around it.
  if (!isLinked || level > <u32>(entry >> 32)) setEntry(row, level);
  return true;
}

/** Links the row at every level that it shares with the entry point. Returns false where it found no neighbour. */
function linkBelow(row: u32, level: u32, entry: u64): bool {
  const top = <u32>(entry >> 32);
  const point = basePointOf(row);
  let near = descend(<u32>entry, top, level + 1, point);
  // The row's own lists are complete at every level before any list links to it.
  for (let l = <i32>min(level, top); l >= 0; l--) near = linkOutward(row, point, l, near);
  if (linkCount(linksOf(row, 0)) == 0) return false;
  for (let l: u32 = 0; l <= min(level, top); l++) linkInward(row, l);
  return true;
}

/**
 * Chooses the row's neighbours at a level. Returns the nearest live row found there, or `near`. The farthest quarter of the candidates is
 * not expanded, because few nearer rows are found through it: this saves a fifth of the comparisons at the same ef for a recall of 0.95,
 * also on 60,000 GloVe-100 vectors. Without the farthest half, ef has to be a sixth larger.
 */
function linkOutward(row: u32, point: usize, level: u32, near: u32): u32 {
  walk(near, level, efConstruct, max(efConstruct - (efConstruct >> 2), linksMax), point);
  if (poolCount == 0) return near;
  const nearest = rowOf(load<u64>(pool));
  const count = selectNeighbours(point, pool, poolCount, linksMax, 1, 0, chosen(), open());
  const first = load<u32>(chosen());
  if (areDuplicates(row, first)) store<u32>(chosen(), findParent(first, level, row));
  writeLinks(linksOf(row, level), chosen(), count);
  return nearest;
}

/**
 * Rewrites the links of a repaired row from the pool, with at least as many links as a new row would have, if there are as many candidates.
 */
export function chooseLinks(row: u32, level: u32): void {
  const count = selectNeighbours(pointOf(row), pool, poolCount, capacityAt(level), duplicatesMaxAt(level), linksMax, chosen(), open());
  writeLinks(linksOf(row, level), chosen(), count);
}

/** Fills the pool with the live rows nearest to a row of the graph. */
export function findNear(row: u32, level: u32): void {
  const point = pointOf(row);
  const entry = load<u64>(ENTRY);
  const top = <u32>(entry >> 32);
  const start = descend(<u32>entry, top, level + 1, point);
  walk(start, level, efConstruct, efConstruct, point);
  dropFromPool(row);
}

/** Finds new neighbours for a row of the graph that has lost all links of a level. */
export function relink(row: u32, level: u32): void {
  if (level > <u32>(load<u64>(ENTRY) >> 32)) return;
  findNear(row, level);
  chooseLinks(row, level);
}

/** Offers the row to each of its neighbours. If none takes it, the nearest must, because a row without incoming links is lost. */
function linkInward(row: u32, level: u32): void {
  // A copy, because other threads may already link to this row and change its list.
  const neighbours = copied();
  lockList(row);
  const count = linkCount(linksOf(row, level));
  memory.copy(neighbours, linksOf(row, level) + 4, count << 2);
  unlockList(row);
  const isDuplicate = count > 0 && areDuplicates(row, load<u32>(neighbours));
  let taken = isDuplicate && linkToDuplicate(row, level, load<u32>(neighbours));
  for (let i = u32(isDuplicate); i < count; i++) {
    const neighbour = load<u32>(neighbours + (i << 2));
    lockList(neighbour);
    if (addLink(neighbour, level, row)) taken = true;
    unlockList(neighbour);
  }
  if (!taken && count > 0) forceLink(load<u32>(neighbours), level, row);
}

/**
 * Makes the row a child of a duplicate. Another thread may have taken the room since it was found, and a list that selects again would then
 * drop a duplicate and lose it. So room is checked again under the lock, and searched further down the tree where there is none.
 */
function linkToDuplicate(row: u32, level: u32, first: u32): bool {
  let parent = first;
  for (let step: u32 = 0; step < DUPLICATE_STEPS_MAX; step++) {
    lockList(parent);
    const isLinked = hasRoomForDuplicate(parent, level, row) && addLink(parent, level, row);
    unlockList(parent);
    if (isLinked) return true;
    const next = findParent(parent, level, row);
    lockList(row);
    replaceLink(linksOf(row, level), parent, next);
    unlockList(row);
    parent = next;
  }
  return false;
}

/** Adds a link where there is room, or selects again among all links. Returns whether the link is then there. Hold the lock of `from`. */
function addLink(from: u32, level: u32, to: u32): bool {
  const links = linksOf(from, level);
  const capacity = capacityAt(level);
  if (hasLink(links, to)) return true;
  if (linkCount(links) < capacity) {
    appendLink(links, to);
    return true;
  }
  const point = pointOf(from);
  const count = sortLinks(links, point, candidates());
  insertSorted(candidates(), count, keyOf(nearness(point, pointOf(to)), to));
  const kept = selectNeighbours(point, candidates(), count + 1, capacity - (capacity >> 3), duplicatesMaxAt(level), 0, chosen(), open());
  writeLinks(links, chosen(), kept);
  return hasLink(links, to);
}

/** Replaces the last link by `to`, which takes over the replaced link: everything stays reachable. */
export function forceLink(from: u32, level: u32, to: u32): void {
  lockLists(from, to);
  displaceLast(from, level, to);
  unlockLists(from, to);
}

function displaceLast(from: u32, level: u32, to: u32): void {
  const links = linksOf(from, level);
  const count = linkCount(links);
  if (hasLink(links, to)) return;
  if (count < capacityAt(level)) {
    appendLink(links, to);
    return;
  }
  const last = links + (count << 2);
  const displaced = load<u32>(last);
  const own = linksOf(to, level);
  // A doomed row must not gain links: the repair may already have passed here.
  if (state(displaced) != DOOMED && !hasLink(own, displaced)) {
    if (linkCount(own) < capacityAt(level)) appendLink(own, displaced);
    else store<u32>(own + (linkCount(own) << 2), displaced);
  }
  store<u32>(last, to);
}
