// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divergence } from './distribution.ts';

const VALUES = ['a', 'b', 'c', 'd', 'e'];

/** All values with their shares, which sum to 1; nothing is cut off. */
const whole = fc
  .array(fc.integer({ min: 0, max: 100 }), { minLength: VALUES.length, maxLength: VALUES.length })
  .filter((counts) => counts.some((count) => count > 0))
  .map((counts) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return VALUES.map((value, index) => [value, (counts[index] ?? 0) / total] as const);
  });

function listed(shares: readonly (readonly [string, number])[], limit = Number.POSITIVE_INFINITY) {
  const top = shares
    .filter(([, share]) => share > 0)
    .toSorted(([, first], [, second]) => second - first)
    .slice(0, limit);
  return { shares: new Map(top), unlisted: top.length < limit ? 0 : (top.at(-1)?.[1] ?? 0) };
}

/** H((P + Q) / 2) - (H(P) + H(Q)) / 2 with H in bits, as the paper defines it. */
function byEntropies(first: readonly (readonly [string, number])[], second: readonly (readonly [string, number])[]): number {
  const entropy = (shares: readonly number[]) => shares.reduce((sum, share) => sum - (share === 0 ? 0 : share * Math.log2(share)), 0);
  const [one, two] = [first, second].map((shares) => shares.map(([, share]) => share));
  if (one === undefined || two === undefined) throw new Error('two distributions');
  return entropy(one.map((share, index) => (share + (two[index] ?? 0)) / 2)) - (entropy(one) + entropy(two)) / 2;
}

describe('[E9] the divergence of two distributions', () => {
  test('is that of the paper where no value is cut off', () => {
    fc.assert(
      fc.property(whole, whole, (one, two) => {
        expect(divergence(listed(one), listed(two))).toBeCloseTo(byEntropies(one, two), 10);
      }),
    );
  });

  test('is the same both ways, 0 with itself, and never more than 1', () => {
    fc.assert(
      fc.property(whole, whole, fc.integer({ min: 1, max: 5 }), (one, two, limit) => {
        const [first, second] = [listed(one, limit), listed(two, limit)];
        expect(divergence(first, second)).toBeCloseTo(divergence(second, first), 12);
        expect(divergence(first, first)).toBe(0);
        expect(divergence(first, second)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('does not see which of equally frequent values were listed', () => {
    const one = {
      shares: new Map([
        ['a', 0.5],
        ['b', 0.1],
      ]),
      unlisted: 0.1,
    };
    const two = {
      shares: new Map([
        ['a', 0.5],
        ['c', 0.1],
      ]),
      unlisted: 0.1,
    };
    expect(divergence(one, two)).toBeCloseTo(0, 12);
  });
});
