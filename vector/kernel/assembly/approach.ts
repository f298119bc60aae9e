/** Ways through the graph that are found by sketches, where there are any, and end with a pool that is measured by codes or vectors. */
import { walkFiltered } from './filtered-walk';
import { rowOf } from './keys';
import { capacityAt } from './layout';
import { aimAt, bySketch, measureCodes, measureSketches } from './measure';
import { insertSorted } from './neighbours';
import { descend, measureBatch, poolCount, poolKey, touchBatch, walk } from './walk';
import { batch, pool } from './workspace';

/** `descend` from `point`, whose sketch is at `sketched`. */
export function descendFor(point: usize, sketched: usize, entry: u32, top: u32, bottom: u32): u32 {
  measureSketches();
  const row = descend(entry, top, bottom, bySketch ? sketched : point);
  measureCodes();
  return row;
}

/** `walk` from `point`. */
export function walkFor(point: usize, sketched: usize, start: u32, level: u32, ef: u32, expanded: u32): void {
  measureSketches();
  walk(start, level, ef, expanded, bySketch ? sketched : point);
  refine(point);
}

/** `walkFiltered` from `point`. */
export function walkFilteredFor(point: usize, sketched: usize, start: u32, ef: u32, named: u32): void {
  measureSketches();
  walkFiltered(start, ef, named, bySketch ? sketched : point);
  refine(point);
}

/** Sorts a pool that sketches have filled by codes. */
export function refine(point: usize): void {
  if (!bySketch) return;
  measureCodes();
  aimAt(point);
  for (let first: u32 = 0; first < poolCount; first += capacityAt(0)) {
    const end = min(poolCount, first + capacityAt(0));
    let last = batch;
    for (let i = first; i < end; i++, last += 8) store<u32>(last, rowOf(poolKey(i)));
    touchBatch(last);
    measureBatch(point, last);
    for (let i = first; i < end; i++) insertSorted(pool, i, load<u64>(batch + ((i - first) << 3)));
  }
}
