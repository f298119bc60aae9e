// SPDX-License-Identifier: Apache-2.0
/**
 * Loads a saved graph: its blocks as they were, with the links of their upper levels. Then rows that may have changed since are recalled
 * and adopted from storage, and the rest is settled. The writer's thread does this before the indexer starts.
 */
import { encodeRow } from '../codes/encoding/encode-row';
import { allocate } from '../memory/allocator';
import {
  BLOCK_COUNT, CHANCE, FREE, GRAPH_LIVE_COUNT, INDEXED, LEVEL_MAX, LINKED, NO_ROW, PENDING, PENDING_COUNT, RETIRED, ROW_BOUND, SAVED,
  TOMBSTONE, TOMBSTONE_COUNT, baseLinksOf, blockAddress, blockBytes, blockMask, blockPending, blockShift, capacityAt, hasCodebook,
  isInGraph, isReduced, levelOf, linkCount, linksOf, releasesVectors, state, stateOf, upperLinkBytes, upperOf, versionOf,
} from '../memory/layout';
import { seen } from '../memory/seen-memory';
import { releaseLevels } from '../rows/levels';
import { publish, showPending } from '../rows/rows';
import { chooseEntry, setEntry } from './entry';
import { hasLink } from './neighbours';

/** Whether a row has another vector than the one that it was linked by. */
let hasChangedRows = false;

export function setChance(chance: u32): void {
  store<u32>(CHANCE, chance);
}

/**
 * Takes a saved block of a space with `rowBound` rows; `uppers` holds the links of its upper levels. Returns false where the block is
 * invalid or where there is no room.
 */
export function takeBlock(block: u32, rowBound: u32, uppers: usize, uppersBytes: u32): bool {
  const end = uppers + uppersBytes;
  const first = block << blockShift;
  for (let row = first; row <= first + blockMask; row++) {
    const saved: u32 = row < rowBound ? state(row) : FREE;
    store<u32>(upperOf(row), 0);
    // The vector of a pending row that lies outside its block was not saved.
    if (saved == FREE || saved == RETIRED || (saved == PENDING && releasesVectors)) {
      store<u8>(stateOf(row), <u8>FREE);
    } else if (saved == PENDING) {
      store<u32>(baseLinksOf(row), 0);
      store<u8>(levelOf(row), 0);
      showPending(row);
    } else {
      const level: u32 = load<u8>(levelOf(row));
      const bytes = level * upperLinkBytes;
      if (!isInGraph(saved) || level > LEVEL_MAX || uppers + bytes > end || !takeUppers(row, uppers, bytes)) return false;
      uppers += bytes;
      takeNode(row, saved == LINKED || saved == INDEXED);
    }
  }
  if (rowBound > load<u32>(ROW_BOUND)) atomic.store<u32>(ROW_BOUND, min(rowBound, first + blockMask + 1));
  return uppers == end;
}

function takeUppers(row: u32, uppers: usize, bytes: u32): bool {
  if (bytes == 0) return true;
  const upper = allocate(bytes);
  if (upper == 0) return false;
  memory.copy(upper, uppers, bytes);
  store<u32>(upperOf(row), <u32>upper);
  return true;
}

/** Rows in transit have arrived, because no reader is left that they waited for. A repair begins again. */
function takeNode(row: u32, isLive: bool): void {
  atomic.add<u32>(isLive ? GRAPH_LIVE_COUNT : TOMBSTONE_COUNT, 1);
  atomic.store<u8>(stateOf(row), <u8>(isLive ? INDEXED : TOMBSTONE));
}

/** Whether every link leads to a row of the graph that has the link's level, as walks require. */
export function hasSoundLinks(): bool {
  const rowBound = load<u32>(ROW_BOUND);
  for (let row: u32 = 0; row < rowBound; row++) {
    if (!isInGraph(state(row))) continue;
    for (let level: u32 = 0; level <= load<u8>(levelOf(row)); level++) if (!isSound(row, level, rowBound)) return false;
  }
  return true;
}

function isSound(row: u32, level: u32, rowBound: u32): bool {
  const links = linksOf(row, level);
  const count = load<u32>(links);
  if (count > capacityAt(level)) return false;
  for (let i: u32 = 0; i < count; i++) {
    const neighbour = load<u32>(links + (i << 2), 4);
    if (neighbour >= rowBound || neighbour == row || !isInGraph(state(neighbour)) || load<u8>(levelOf(neighbour)) < level) return false;
  }
  return true;
}

/** Empties the space after a failed load. What its nodes had allocated beside the blocks stays lost. */
export function clearBlocks(): void {
  const blocks = load<u32>(BLOCK_COUNT);
  for (let block: u32 = 0; block < blocks; block++) {
    memory.fill(seen(blockAddress(block), blockBytes), 0, blockBytes);
    store<u32>(blockPending(block), 0);
  }
  store<u32>(ROW_BOUND, 0);
  store<u32>(PENDING_COUNT, 0);
  store<u32>(GRAPH_LIVE_COUNT, 0);
  store<u32>(TOMBSTONE_COUNT, 0);
}

/** Rows in [from, to) may have changed since they were saved. Those that are not adopted afterwards are deleted. */
export function recall(from: u32, to: u32): void {
  const end = min(to, load<u32>(ROW_BOUND));
  for (let row = from; row < end; row++) {
    const saved = state(row);
    if (saved == PENDING) {
      atomic.sub<u32>(PENDING_COUNT, 1);
      atomic.sub<u32>(blockPending(row >> blockShift), 1);
      store<u8>(stateOf(row), <u8>FREE);
    } else if (isInGraph(saved)) {
      atomic.sub<u32>(saved == INDEXED ? GRAPH_LIVE_COUNT : TOMBSTONE_COUNT, 1);
      store<u8>(stateOf(row), <u8>SAVED);
    }
  }
}

/** The row's vector is in place. Its saved links stay if they were made for this version of it. */
export function adopt(row: u32, version: f64): void {
  if (state(row) != SAVED) {
    publish(row, version);
  } else if (load<f64>(versionOf(row)) == version) {
    // A code that was made by a codebook or by directions stays as it was saved: its vector is the same, and it takes long to make.
    if (!hasCodebook && !isReduced) encodeRow(row);
    takeNode(row, true);
  } else {
    hasChangedRows = true;
    store<f64>(versionOf(row), version);
    showPending(row);
  }
}

/** Deletes rows that were recalled and not adopted, and sets the entry point; `entry` is the saved one. */
export function finishLoad(entry: u32): void {
  const rowBound = load<u32>(ROW_BOUND);
  for (let row: u32 = 0; row < rowBound; row++) if (state(row) == SAVED) takeNode(row, false);
  if (hasChangedRows) unlinkChanged(rowBound);
  if (entry < rowBound && isInGraph(state(entry))) setEntry(entry, load<u8>(levelOf(entry)));
  else chooseEntry();
}

function unlinkChanged(rowBound: u32): void {
  for (let row: u32 = 0; row < rowBound; row++) {
    if (!isInGraph(state(row))) continue;
    for (let level: u32 = 0; level <= load<u8>(levelOf(row)); level++) bypassChanged(row, level);
  }
  for (let row: u32 = 0; row < rowBound; row++) if (state(row) == PENDING) discardLinks(row);
  hasChangedRows = false;
}

/** Redirects links to rows whose vector has changed to a neighbour of the old vector, or removes them. */
function bypassChanged(row: u32, level: u32): void {
  const links = linksOf(row, level);
  const count = load<u32>(links);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    let neighbour = load<u32>(links + (i << 2), 4);
    if (state(neighbour) == PENDING) neighbour = bypass(row, links, neighbour, level);
    if (neighbour != NO_ROW) store<u32>(links + (kept++ << 2), neighbour, 4);
  }
  store<u32>(links, kept);
}

function bypass(row: u32, links: usize, changed: u32, level: u32): u32 {
  const behind = linksOf(changed, level);
  const end = behind + (linkCount(behind) << 2);
  for (let link = behind; link < end; link += 4) {
    const neighbour = load<u32>(link, 4);
    if (neighbour != row && isInGraph(state(neighbour)) && !hasLink(links, neighbour)) return neighbour;
  }
  return NO_ROW;
}

function discardLinks(row: u32): void {
  releaseLevels(row);
  store<u32>(baseLinksOf(row), 0);
}
