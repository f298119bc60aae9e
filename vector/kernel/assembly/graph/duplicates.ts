/**
 * Equal vectors. Thousands of them would all want the same few neighbours. They form a tree instead: each new one hangs on a duplicate that has
 * room among the links that a list keeps for such.
 */
import { nearness, pointOf } from '../distance/measure';
import { capacityAt, isLive, linkCount, linksOf, state } from '../memory/layout';
import { candidates } from './link-scratch';
import { isDuplicate } from './neighbours';

/** A tree of thousands is a few steps high; the bound is for rows that only seem to be duplicates. */
const PARENT_STEPS_MAX: u32 = 64;

/** Links in a list that are kept for duplicates. */
// @ts-ignore: decorator
@inline export function duplicatesMaxAt(level: u32): u32 { return max<u32>(1, capacityAt(level) >> 1); }

export function areDuplicates(row: u32, other: u32): bool {
  const point = pointOf(row);
  return isDuplicate(nearness(point, pointOf(other)), nearness(point, point));
}

/** The duplicate to hang a row on, found by steps from `start` down the tree, spread by the row's number. */
export function findParent(start: u32, level: u32, row: u32): u32 {
  let parent = start;
  let spread = row;
  for (let step: u32 = 0; step < PARENT_STEPS_MAX; step++) {
    const duplicates = gatherDuplicates(parent, level, row);
    // The steps may pass deleted rows, but nothing new hangs on one: the repair may already be behind this row.
    if (duplicates < duplicatesMaxAt(level) && isLive(state(parent))) return parent;
    // Knuth's multiplicative hash, The Art of Computer Programming 3, section 6.4.
    spread = spread * 2654435761 + step;
    parent = duplicates == 0 ? start : load<u32>(candidates() + (((spread >> 16) % duplicates) << 2));
  }
  return start;
}

/** Whether the list of `parent` keeps one more duplicate of the row. Hold its lock. */
export function hasRoomForDuplicate(parent: u32, level: u32, row: u32): bool {
  return gatherDuplicates(parent, level, row) < duplicatesMaxAt(level);
}

/** Writes the rows linked to `from` that are duplicates of the row to the candidates' memory; returns their count. */
function gatherDuplicates(from: u32, level: u32, row: u32): u32 {
  const point = pointOf(row);
  const toItself = nearness(point, point);
  const links = linksOf(from, level);
  const end = links + (linkCount(links) << 2);
  let count: u32 = 0;
  for (let link = links; link < end; link += 4) {
    const linked = load<u32>(link, 4);
    if (isDuplicate(nearness(point, pointOf(linked)), toItself)) store<u32>(candidates() + (count++ << 2), linked);
  }
  return count;
}
