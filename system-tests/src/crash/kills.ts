// SPDX-License-Identifier: Apache-2.0
/** How many times the tests of this folder kill the service: seven times in `npm test`, a thousand in the long run. */
import type { Sizes } from '@sextant/foundation-testing';

export const KILLS = {
  /** While every client writes, and while the service starts. */
  load: { quick: 3, long: 780 },
  onDisk: { quick: 1, long: 30 },
  compaction: { quick: 1, long: 40 },
  recovery: { quick: 1, long: 60 },
  /** While collections are opened and closed for each other. */
  fewOpen: { quick: 1, long: 60 },
  /** In the long run alone: codes that are to be outgrown need thousands of points. */
  codeRenewal: { quick: 0, long: 30 },
} as const satisfies { readonly [test: string]: Sizes };
