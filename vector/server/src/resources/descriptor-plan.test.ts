// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { collectionBound, DESCRIPTORS_PER_COLLECTION, DescriptorLimitError, planDescriptors } from './descriptor-plan.ts';

const NEEDS = { open: 30, threads: { serving: 2, other: 3 }, connectionsMax: 0, collections: 0 };
const limitOf = (limit: number) => ({ limit, isKnown: true });
const total = ({ connectionsMax, collectionsMax }: ReturnType<typeof planDescriptors>) =>
  connectionsMax + collectionsMax * DESCRIPTORS_PER_COLLECTION;

test('what the threads leave is divided between connections and collections', () => {
  const plan = planDescriptors({ ...NEEDS, limit: limitOf(1024) });
  expect(plan.connectionsMax).toBeGreaterThan(400);
  expect(plan.collectionsMax).toBeGreaterThan(130);
  expect(total(plan)).toBeLessThan(1024 - NEEDS.open);
});

test('more threads leave less', () => {
  const few = planDescriptors({ ...NEEDS, limit: limitOf(1024) });
  const many = planDescriptors({ ...NEEDS, threads: { serving: 8, other: 9 }, limit: limitOf(1024) });
  expect(total(many)).toBeLessThan(total(few) - 12 * 6);
});

test('without a limit to speak of there are 10,000 connections, and collections by the thousand', () => {
  const plan = planDescriptors({ ...NEEDS, limit: limitOf(1_048_576) });
  expect(plan.connectionsMax).toBe(10_000);
  expect(plan.collectionsMax).toBeGreaterThan(300_000);
});

test('collections that there are come before connections, as far as some are left', () => {
  const without = planDescriptors({ ...NEEDS, limit: limitOf(256) });
  const plan = planDescriptors({ ...NEEDS, collections: without.collectionsMax + 5, limit: limitOf(256) });
  expect(plan.collectionsMax).toBe(without.collectionsMax + 5);
  expect(plan.connectionsMax).toBeLessThan(without.connectionsMax);
  expect(planDescriptors({ ...NEEDS, collections: 10_000, limit: limitOf(256) }).connectionsMax).toBe(8);
});

test('where collections can be closed for each other, connections keep a quarter', () => {
  const plan = planDescriptors({ ...NEEDS, collections: 10_000, canClose: true, limit: limitOf(20_000) });
  expect(plan.connectionsMax).toBeGreaterThan(4500);
  expect(plan.collectionsMax).toBeGreaterThan(4500);
});

test('what the operator chooses holds', () => {
  const plan = planDescriptors({ ...NEEDS, connectionsMax: 20, collections: 10_000, limit: limitOf(256) });
  expect(plan.connectionsMax).toBe(20);
});

test('a limit that is too low is refused with what is needed and how to get it', () => {
  expect(() => planDescriptors({ ...NEEDS, limit: limitOf(64) })).toThrow(DescriptorLimitError);
  expect(() => planDescriptors({ ...NEEDS, limit: limitOf(64) })).toThrow(
    /64 file descriptors.*SERVICE_THREADS=2.*needs at least \d+.*ulimit -n/,
  );
  const chosen = () => planDescriptors({ ...NEEDS, connectionsMax: 500, limit: limitOf(256) });
  expect(chosen).toThrow(/SERVICE_CONNECTIONS_MAX=500/);
  const [, needed] = /needs at least (\d+)/.exec(messageOf(chosen)) ?? [];
  expect(planDescriptors({ ...NEEDS, connectionsMax: 500, limit: limitOf(Number(needed)) }).collectionsMax).toBe(1);
});

test('the bound on collections says which limit it comes from', () => {
  const plan = planDescriptors({ ...NEEDS, limit: limitOf(256) });
  const error = collectionBound(plan).reached();
  expect(error.code).toBe('collections_exhausted');
  expect(error.message).toContain(`At most ${plan.collectionsMax} collections are possible: each takes 3 of the 256 file descriptors`);
});

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}
