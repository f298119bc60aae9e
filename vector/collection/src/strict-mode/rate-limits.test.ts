// SPDX-License-Identifier: Apache-2.0
import { ServiceError } from '@sextant/contracts-vector';
import { manualClock } from '@sextant/foundation-std';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RateLimits } from './rate-limits.ts';

/** Some threads' views of the same rates. */
function views(count: number) {
  const clock = manualClock(1_700_000_000_000);
  const shared = new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT));
  return { clock, shared, rates: Array.from({ length: count }, () => new RateLimits(shared, clock)) };
}

function refusalOf(take: () => void): ServiceError | undefined {
  try {
    take();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

describe('a rate', () => {
  test('admits a minute of operations at once, whichever thread is asked, and then one for each that comes back', () => {
    const { clock, rates } = views(3);
    for (let index = 0; index < 60; index++) rates[index % 3]?.take('read', 1, 60);
    expect(refusalOf(() => rates[0]?.take('read', 1, 60))).toMatchObject({
      code: 'rate_limit_exceeded',
      message: 'Rate limiting exceeded: Read rate limit exceeded: Operation requires 1 tokens but only 0.0 were available. Retry after 1s',
      details: { seconds: 1 },
    });
    clock.advance(1000);
    rates[1]?.take('read', 1, 60);
    expect(refusalOf(() => rates[2]?.take('read', 1, 60))).toBeDefined();
  });

  test('of reads and of writes are counted apart', () => {
    const { rates } = views(1);
    rates[0]?.take('read', 5, 5);
    rates[0]?.take('write', 5, 5);
    expect(refusalOf(() => rates[0]?.take('write', 1, 5))?.message).toContain('Write rate limit exceeded: Operation requires 1 tokens');
  });

  test('refuses what takes more than a minute has', () => {
    const { rates } = views(1);
    const refusal = refusalOf(() => rates[0]?.take('read', 11, 10));
    expect(refusal?.message).toBe(
      'Rate limiting exceeded: Read rate limit exceeded: Operation requires 11 tokens but only 10.0 fit into a minute; ask for less at a time',
    );
    expect(refusal?.details.seconds).toBe(60);
  });

  test.each([-3_600_000, 3_600_000])('is the same when wall time is set by %d ms', (jumpMs) => {
    const { clock, shared } = views(1);
    let wallMs = clock.nowMs();
    const rate = new RateLimits(shared, { ...clock, nowMs: () => wallMs });
    rate.take('read', 5, 10);
    wallMs += jumpMs;
    rate.take('read', 5, 10);
    expect(refusalOf(() => rate.take('read', 1, 10))).toMatchObject({ details: { seconds: 6 } });
    clock.advance(6000);
    rate.take('read', 1, 10);
  });

  test('admits what a naive bucket admits, and a retry in time succeeds', () => {
    const step = fc.oneof(fc.record({ waitMs: fc.nat(20_000) }), fc.record({ cost: fc.integer({ min: 1, max: 6 }) }));
    let refused = 0;
    fc.assert(
      fc.property(fc.constantFrom(6, 10, 60, 600), fc.array(step, { maxLength: 60 }), (perMinute, steps) => {
        const { clock, rates } = views(1);
        let tokens: number = perMinute;
        for (const each of steps) {
          if ('waitMs' in each) {
            clock.advance(each.waitMs);
            tokens = Math.min(perMinute, tokens + (each.waitMs * perMinute) / 60_000);
            continue;
          }
          const refusal = refusalOf(() => rates[0]?.take('read', each.cost, perMinute));
          // A hair's breadth is the rounding of either side.
          if (Math.abs(tokens - each.cost) > 1e-6) expect(refusal === undefined).toBe(tokens > each.cost);
          if (refusal === undefined) tokens -= each.cost;
          else {
            refused++;
            const ms = 1000 * Number(refusal.details.seconds);
            clock.advance(ms);
            tokens = Math.min(perMinute, tokens + (ms * perMinute) / 60_000) - each.cost;
            rates[0]?.take('read', each.cost, perMinute);
          }
        }
      }),
      { numRuns: 500 },
    );
    expect(refused).toBeGreaterThan(100);
  });
});
