// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { type FanOut, simulateFanOut } from './fan-out-simulation.ts';

const CALM: FanOut = {
  groups: 10,
  copies: 2,
  cores: 2,
  searchesPerSecond: 1,
  serviceMs: [3],
  askMs: 0.1,
  networkMs: { least: 0.25, more: 0 },
  stalls: { everyMs: 1e12, ms: 0 },
  hedge: { at: 1, shareMax: 0.05 },
  searches: 500,
};

test('a search alone takes what its groups take, what asking takes, and the way there and back', () => {
  const { medianMs, hedgedShare } = simulateFanOut(CALM, seededRandom(1));
  // Ten groups are asked one after the other, the last of them after a millisecond.
  expect(medianMs).toBeCloseTo(3 + 1 + 0.5, 6);
  expect(hedgedShare).toBe(0);
});

test('the cores are as busy as the searches make them, whatever waits for what', () => {
  const { utilisation } = simulateFanOut({ ...CALM, searchesPerSecond: 400, searches: 5000 }, seededRandom(2));
  const perSearchMs = 10 * (3 + 0.1);
  expect(utilisation).toBeCloseTo((400 * perSearchMs) / (1000 * CALM.groups * CALM.copies * CALM.cores), 1);
});

test('a queue of one core waits as an M/D/1 queue does', () => {
  const load = 0.5;
  const single = { ...CALM, groups: 1, copies: 1, cores: 1, askMs: 0, networkMs: { least: 0, more: 0 }, searches: 12_000 };
  const latencies = simulateFanOut({ ...single, searchesPerSecond: (1000 * load) / 3 }, seededRandom(3));
  // Erlang's distribution of the waiting in an M/D/1 queue: who comes to an idle server, half of them here, waits for nothing.
  expect(latencies.medianMs).toBeCloseTo(3, 1);
  expect(latencies.p99Ms).toBeGreaterThan(3 * 3);
  expect(latencies.p99Ms).toBeLessThan(3 * 5);
});

test('the slowest of more groups is slower, and asking a second copy makes the tail shorter where nodes stall', () => {
  const stalling = {
    ...CALM,
    groups: 50,
    searchesPerSecond: 20,
    stalls: { everyMs: 2000, ms: 40 },
    serviceMs: [2, 2.5, 3, 3.5, 4],
    searches: 800,
  };
  const few = simulateFanOut({ ...stalling, groups: 5 }, seededRandom(4));
  const many = simulateFanOut(stalling, seededRandom(4));
  const hedged = simulateFanOut({ ...stalling, hedge: { at: 0.95, shareMax: 0.05 } }, seededRandom(4));
  expect(few.medianMs).toBeLessThan(many.medianMs);
  expect(hedged.p99Ms).toBeLessThan(many.p99Ms);
  expect(hedged.hedgedShare).toBeGreaterThan(0);
  expect(hedged.hedgedShare).toBeLessThan(0.06);
});

test('nodes that have much to do are not asked twice for everything', () => {
  const busy = { ...CALM, groups: 20, serviceMs: [2, 3, 4], searchesPerSecond: 400, searches: 800 };
  const bounded = simulateFanOut({ ...busy, hedge: { at: 0.5, shareMax: 0.05 } }, seededRandom(5));
  const unbounded = simulateFanOut({ ...busy, hedge: { at: 0.5, shareMax: 1 } }, seededRandom(5));
  expect(bounded.hedgedShare).toBeLessThan(0.06);
  expect(bounded.p99Ms).toBeLessThan(unbounded.p99Ms);
});
