// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextAttempt } from './backoff.ts';

const HOUR_MS = 3_600_000;
const failures = fc.record({ isPermanent: fc.constant(false), retryAfterMs: fc.option(fc.nat(30 * HOUR_MS), { nil: undefined }) });
const START_MS = 1_000_000;
const limit = { kind: 'day', firstAttemptMs: START_MS } as const;

test('the next attempt is later, never before the receiver asks for it, and within a day of the first', () => {
  fc.assert(
    fc.property(failures, fc.integer({ min: 1, max: 200 }), fc.nat(30 * HOUR_MS), fc.nat(), (failure, attempts, elapsedMs, seed) => {
      const nowMs = START_MS + elapsedMs;
      const next = nextAttempt({ failure, attempts, limit, nowMs }, seededRandom(seed));
      if (next === undefined) return;
      expect(next).toBeGreaterThan(nowMs);
      expect(next - nowMs).toBeGreaterThanOrEqual(failure.retryAfterMs ?? 0);
      expect(next - nowMs).toBeLessThanOrEqual(Math.max(HOUR_MS, failure.retryAfterMs ?? 0));
      expect(next - START_MS).toBeLessThanOrEqual(24 * HOUR_MS);
    }),
  );
});

test('a receiver that never works is tried some 30 to 60 times before it is given up', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = seededRandom(seed);
      const failure = { isPermanent: false, retryAfterMs: undefined };
      let attempts = 1;
      for (let nowMs: number | undefined = START_MS; ; attempts += 1) {
        nowMs = nextAttempt({ failure, attempts, limit, nowMs }, random);
        if (nowMs === undefined) break;
      }
      expect(attempts).toBeGreaterThanOrEqual(30);
      expect(attempts).toBeLessThanOrEqual(60);
    }),
  );
});

test('what another attempt cannot change gets none', () => {
  const attempt = { failure: { isPermanent: true, retryAfterMs: undefined }, attempts: 1, limit, nowMs: START_MS };
  expect(nextAttempt(attempt, seededRandom(1))).toBeUndefined();
});

test('where the time of the first attempt is unknown, a number of attempts is the limit', () => {
  const failure = { isPermanent: false, retryAfterMs: undefined };
  const next = (attempts: number) =>
    nextAttempt({ failure, attempts, limit: { kind: 'attempts', attemptsMax: 30 }, nowMs: 0 }, seededRandom(1));
  expect(next(29)).toBeGreaterThanOrEqual(HOUR_MS / 2);
  expect(next(29)).toBeLessThanOrEqual(HOUR_MS);
  expect(next(30)).toBeUndefined();
});
