// SPDX-License-Identifier: Apache-2.0
import type { BandModel } from './band.ts';

/** The model whose bands are ready in this way. */
export function bandModel(readyAt: BandModel['readyAt']): BandModel {
  return { readyAt, bandAt: (history, timeMs, memory) => readyAt(history, timeMs, memory)?.band() };
}
