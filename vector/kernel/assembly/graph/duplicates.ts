// SPDX-License-Identifier: Apache-2.0
/**
 * Equal vectors. Thousands of equal rows would all choose the same few neighbours, so they form a tree: a new row becomes a child of a
 * duplicate whose list has room for one more duplicate.
 */
import { nearness, pointOf } from '../distance/measure';
import { capacityAt, isLive, linkCount, linksOf, state } from '../memory/layout';
import { candidates } from './link-scratch';
import { isDuplicate } from './neighbours';

/** A tree of thousands is a few levels high. The bound is for rows that only seem to be duplicates. */
const PARENT_STEPS_MAX: u32 = 64;

/** Links of a list that are reserved for duplicates. */
// @ts-ignore: decorator
@inline export function duplicatesMaxAt(level: u32): u32 { return max<u32>(1, capacityAt(level) >> 1); }

export function areDuplicates(row: u32, other: u32): bool {
  const point = pointOf(row);
  return isDuplicate(nearness(point, pointOf(other)), nearness(point, point));
}

/** Finds the duplicate that becomes the row's parent: steps down the tree from `start`, spread by the row's number. */
export function findParent(start: u32, level: u32, row: u32): u32 {
  let parent = start;
  let spread = row;
  for (let step: u32 = 0; step < PARENT_STEPS_MAX; step++) {
    const duplicates = gatherDuplicates(parent, level, row);
    // The path may pass deleted rows, but no parent is deleted: the repair may already have passed this row.
    if (duplicates < duplicatesMaxAt(level) && isLive(state(parent))) return parent;
    // Knuth's multiplicative hash, The Art of Computer Programming 3, section 6.4.
    spread = spread * 2654435761 + step;
    parent = duplicates == 0 ? start : load<u32>(candidates() + (((spread >> 16) % duplicates) << 2));
  }
  return start;
}

/** Whether the list of `parent` takes one more duplicate of the row. Hold its lock. */
export function hasRoomForDuplicate(parent: u32, level: u32, row: u32): bool {
  return gatherDuplicates(parent, level, row) < duplicatesMaxAt(level);
}

/** Writes the duplicates of the row among the links of `from` to the candidates' memory. Returns their number. */
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
