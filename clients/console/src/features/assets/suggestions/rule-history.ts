// SPDX-License-Identifier: Apache-2.0
import type { SuggestedRule } from '@sextant/sdk';

/** Of past searches, the share of rows that followed a rule in percent, oldest first, and the same in words. */
export function historyOf(history: SuggestedRule['history']): { readonly shares: readonly number[]; readonly text: string } {
  const shares = history.map(({ support, exceptions }) => (100 * support) / Math.max(1, support + exceptions)).toReversed();
  if (shares.length < 2) return { shares, text: 'First search' };
  const lowest = Math.min(...shares);
  // Rounded down: what was broken did not hold.
  const percent = (Math.floor(lowest * 100) / 100).toLocaleString('en', { maximumFractionDigits: 2 });
  return { shares, text: lowest === 100 ? `Passed in all ${shares.length}` : `Lowest ${percent} % of ${shares.length}` };
}
