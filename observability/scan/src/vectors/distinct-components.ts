// SPDX-License-Identifier: Apache-2.0
/** How many different magnitudes the components of a vector have: rounding makes some of them equal, and leaves a vector's length and place as they were. */
export function distinctMagnitudes(vector: Float32Array): number {
  const magnitudes = vector.map(Math.abs).sort();
  let distinct = 0;
  let before = Number.NaN;
  for (const magnitude of magnitudes) {
    if (magnitude !== before) distinct += 1;
    before = magnitude;
  }
  return distinct;
}
