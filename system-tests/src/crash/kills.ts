/** How many times the tests of this folder kill the service: a hundred times in `npm test`, a thousand in the long run. */
import { roundsOf, type Sizes } from '@sextant/foundation-testing';

export const KILLS = {
  /** While every client writes, and while the service starts. */
  load: { quick: 84, long: 840 },
  onDisk: { quick: 3, long: 30 },
  compaction: { quick: 4, long: 40 },
  recovery: { quick: 6, long: 60 },
  codeRenewal: { quick: 3, long: 30 },
} as const satisfies { readonly [test: string]: Sizes };

export function killsOf(test: keyof typeof KILLS): number {
  return roundsOf(KILLS[test]);
}
