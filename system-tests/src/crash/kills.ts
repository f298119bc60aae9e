// SPDX-License-Identifier: Apache-2.0
/** How many times the tests of this folder kill the service: five times in `npm test`, a thousand in the long run. */
import type { Sizes } from '@sextant/foundation-testing';

export const KILLS = {
  /** While every client writes, and while the service starts. */
  load: { quick: 2, long: 780 },
  onDisk: { quick: 1, long: 30 },
  compaction: { quick: 1, long: 40 },
  recovery: { quick: 1, long: 60 },
  /** In the long run alone, while collections are opened and closed for each other: `limits/few-open.test.ts` kills one such service in each run. */
  fewOpen: { quick: 0, long: 60 },
  /** In the long run alone: codes that are to be outgrown need thousands of points. */
  codeRenewal: { quick: 0, long: 30 },
} as const satisfies { readonly [test: string]: Sizes };
