/**
 * A saved graph comes back: nodes first, without vectors (SAVED); then each stored vector is adopted; then the rest is settled.
 * The writer's thread does this before the indexer starts.
 */
import { allocate } from './allocator';
import {
  CHANCE, FREE, GRAPH_LIVE_COUNT, INDEXED, NO_ROW, PENDING, ROW_BOUND, SAVED, TOMBSTONE, TOMBSTONE_COUNT, baseLinksOf, codeOf, codeStride, isInGraph,
  levelOf, linksOf, state, stateOf, stride, upperLinkBytes, upperOf, vectorOf, versionOf,
} from './layout';
import { encodeRow } from './codes';
import { chooseEntry, setEntry } from './entry';
import { releaseLevels } from './levels';
import { hasLink } from './neighbours';
import { publish, showPending } from './rows';

export function setChance(chance: u32): void {
  store<u32>(CHANCE, chance);
}

/** Makes a reserved, free row a node without a vector; the caller writes its links. False where there is no memory. */
export function loadNode(row: u32, level: u32, version: f64): bool {
  let upper: usize = 0;
  if (level > 0) {
    upper = allocate(level * upperLinkBytes);
    if (upper == 0) return false;
  }
  store<f64>(versionOf(row), version);
  store<u8>(levelOf(row), <u8>level);
  store<u32>(upperOf(row), <u32>upper);
  store<u8>(stateOf(row), <u8>SAVED);
  if (row >= load<u32>(ROW_BOUND)) atomic.store<u32>(ROW_BOUND, row + 1);
  return true;
}

/** Takes back all nodes of a load that was broken off. */
export function unloadNodes(): void {
  const rowBound = load<u32>(ROW_BOUND);
  for (let row: u32 = 0; row < rowBound; row++) {
    if (state(row) != SAVED) continue;
    discardLinks(row);
    store<u8>(stateOf(row), <u8>FREE);
  }
  atomic.store<u32>(ROW_BOUND, 0);
}

/** The row's vector is in place. Its saved links stand if they were made for this version of it. */
export function adopt(row: u32, version: f64): void {
  if (state(row) != SAVED) {
    publish(row, version);
  } else if (load<f64>(versionOf(row)) == version) {
    if (codeStride != 0) encodeRow(row);
    atomic.add<u32>(GRAPH_LIVE_COUNT, 1);
    atomic.store<u8>(stateOf(row), <u8>INDEXED);
  } else {
    store<f64>(versionOf(row), version);
    showPending(row);
  }
}

/** Settles what was not adopted. `entry` is the saved entry row. */
export function finishLoad(entry: u32): void {
  const rowBound = load<u32>(ROW_BOUND);
  for (let row: u32 = 0; row < rowBound; row++) if (state(row) == SAVED) bury(row);
  for (let row: u32 = 0; row < rowBound; row++) {
    if (!isInGraph(state(row))) continue;
    for (let level: u32 = 0; level <= load<u8>(levelOf(row)); level++) bypassChanged(row, level);
  }
  for (let row: u32 = 0; row < rowBound; row++) if (state(row) == PENDING) discardLinks(row);
  if (entry < rowBound && isInGraph(state(entry))) setEntry(entry, load<u8>(levelOf(entry)));
  else chooseEntry();
}

/** A deleted row whose vector is gone stands where its nearest living neighbour does, so that walks still pass it sensibly. */
function bury(row: u32): void {
  const links = baseLinksOf(row);
  const end = links + (load<u32>(links) << 2);
  for (let link = links; link < end; link += 4) {
    const neighbour = load<u32>(link, 4);
    if (state(neighbour) != INDEXED) continue;
    memory.copy(vectorOf(row), vectorOf(neighbour), stride);
    memory.copy(codeOf(row), codeOf(neighbour), codeStride);
    break;
  }
  atomic.add<u32>(TOMBSTONE_COUNT, 1);
  store<u8>(stateOf(row), <u8>TOMBSTONE);
}

/** Links to rows that have another vector now go to a neighbour of the old one instead, or away. */
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
  const end = behind + (load<u32>(behind) << 2);
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
