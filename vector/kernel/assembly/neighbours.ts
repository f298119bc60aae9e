/** Which neighbours a node keeps, and how lists of links change under readers that take no lock. */
import { distance } from './distance';
import { distanceOf, keyOf, rowOf } from './keys';
import { vectorOf } from './layout';

/**
 * The heuristic of algorithm 4 of arXiv 1603.09320: of candidates sorted by distance to the base, one is kept if it is nearer to
 * the base than to every one kept before. Candidates that fail by a tie alone come last, as far as there is room: among
 * duplicates every test is a tie, and without them a crowd of equal vectors would fall apart into unreachable ones.
 * Writes the chosen rows to `chosen`, which must not overlap `candidates`, and returns their count. Overwrites `candidates`.
 */
export function selectNeighbours(candidates: usize, count: u32, limit: u32, chosen: usize): u32 {
  let kept: u32 = 0;
  let ties: u32 = 0;
  for (let i: u32 = 0; i < count && kept < limit; i++) {
    const key = load<u64>(candidates + (i << 3));
    const row = rowOf(key);
    const toBase = distanceOf(key);
    const vector = vectorOf(row);
    let tied = false;
    let covered = false;
    for (let j: u32 = 0; j < kept; j++) {
      const toKept = distance(vector, vectorOf(load<u32>(chosen + (j << 2))));
      if (toKept < toBase) {
        covered = true;
        break;
      }
      if (toKept == toBase) tied = true;
    }
    if (covered) continue;
    // Ties move to the front of the candidates, where all have been read.
    if (tied) store<u64>(candidates + (ties++ << 3), key);
    else store<u32>(chosen + (kept++ << 2), row);
  }
  for (let i: u32 = 0; i < ties && kept < limit; i++) {
    store<u32>(chosen + (kept++ << 2), rowOf(load<u64>(candidates + (i << 3))));
  }
  return kept;
}

/** Adds a key to sorted keys that have room for it. */
export function insertSorted(keys: usize, count: u32, key: u64): void {
  let at = keys + (count << 3);
  for (; at > keys; at -= 8) {
    const before = load<u64>(at - 8);
    if (before < key) break;
    store<u64>(at, before);
  }
  store<u64>(at, key);
}

/** Entries first, then the count: whatever mixture a reader sees, each entry is a row that was linked here. */
export function writeLinks(links: usize, rows: usize, count: u32): void {
  memory.copy(links + 4, rows, count << 2);
  atomic.store<u32>(links, count);
}

export function appendLink(links: usize, row: u32): void {
  const count = load<u32>(links);
  store<u32>(links + (count << 2), row, 4);
  atomic.store<u32>(links, count + 1);
}

export function hasLink(links: usize, row: u32): bool {
  const end = links + (load<u32>(links) << 2);
  for (let link = links; link < end; link += 4) if (load<u32>(link, 4) == row) return true;
  return false;
}

/** Sorted keys of the linked rows by their distance to a vector; returns their count. */
export function sortLinks(links: usize, vector: usize, keys: usize): u32 {
  const count = load<u32>(links);
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(links + (i << 2), 4);
    insertSorted(keys, i, keyOf(distance(vector, vectorOf(row)), row));
  }
  return count;
}
