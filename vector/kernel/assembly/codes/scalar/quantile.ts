// SPDX-License-Identifier: Apache-2.0
/** A quantile of the sample's deviations from the offset, by a histogram. */
import { allocate, release } from '../../memory/allocator';
import { component } from '../../memory/components';
import { dimension } from '../../memory/layout';
import { liveVectorIn } from '../../rows/live-sample';

const BINS: u32 = 4096;

/** The quantile, exact to one bin. No deviation is above `farthest`, which is returned where there is no room for the bins. */
export function deviationAt(share: f64, rowBound: u32, step: u32, offset: f64, farthest: f64): f64 {
  if (!(farthest > 0 && farthest < Infinity)) return farthest;
  const bins = allocate(BINS << 2);
  if (bins == 0) return farthest;
  memory.fill(bins, 0, BINS << 2);
  const binOf = <f64>BINS / farthest;
  let count: f64 = 0;
  for (let row: u32 = 0; row < rowBound; row += step) {
    const vector = liveVectorIn(row, min(row + step, rowBound));
    if (vector == 0) continue;
    for (let i: u32 = 0; i < dimension; i++) {
      const bin = min(BINS - 1, <u32>(Math.abs(<f64>component(vector, i) - offset) * binOf));
      store<u32>(bins + (bin << 2), load<u32>(bins + (bin << 2)) + 1);
    }
    count += dimension;
  }
  let bin: u32 = 0;
  for (let within: f64 = 0; bin < BINS; bin++) {
    within += load<u32>(bins + (bin << 2));
    if (within >= share * count) break;
  }
  release(bins, BINS << 2);
  return min(farthest, <f64>(bin + 1) / binOf);
}
