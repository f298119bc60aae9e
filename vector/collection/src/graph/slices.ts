// SPDX-License-Identifier: Apache-2.0
/** Slices of the work on a graph, with which the thread's events wait, in steps, with which others wait that want the core. */
import type { SpaceIndexer, SpaceLinker } from '@sextant/vector-kernel';

/** Less than half a millisecond of 100 dimensions. */
const ROWS_PER_SLICE = 8;
const ROWS_PER_STEP = 2;
const REPAIRS_PER_SLICE = 128;
const REPAIRS_PER_STEP = 16;

/**
 * Links a few rows of a graph; returns how many.
 * @param throttle may hold the thread up between two steps
 */
export function linkSlice(graph: Pick<SpaceLinker, 'link'>, throttle: () => void): number {
  let linked = 0;
  for (;;) {
    const count = graph.link(ROWS_PER_STEP);
    linked += count;
    if (count < ROWS_PER_STEP || linked >= ROWS_PER_SLICE) return linked;
    throttle();
  }
}

/** Repairs around a few rows of a graph; true when the pass is complete. */
export function repairSlice(graph: Pick<SpaceIndexer, 'repair'>, throttle: () => void): boolean {
  for (let repaired = 0; repaired < REPAIRS_PER_SLICE; repaired += REPAIRS_PER_STEP) {
    if (graph.repair(REPAIRS_PER_STEP)) return true;
    throttle();
  }
  return false;
}
