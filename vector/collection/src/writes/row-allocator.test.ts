// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowAllocator } from './row-allocator.ts';

test('rows count up while none came back', () => {
  const rows = new RowAllocator({ next: 3, free: [], isFree: () => true });
  expect([rows.take(), rows.take(), rows.boundAfter(0)]).toEqual([3, 4, 5]);
});

test('a retired row is handed out again only when no space holds it', () => {
  const held = new Set([0]);
  const rows = new RowAllocator({ next: 1, free: [], isFree: (row) => !held.has(row) });
  rows.retire([0]);
  expect([rows.take(), rows.take()]).toEqual([1, 2]);
  held.clear();
  expect([rows.take(), rows.take()]).toContain(0);
});

test('rows that were free at the start are used before new ones', () => {
  const rows = new RowAllocator({ next: 10, free: [4, 7], isFree: () => true });
  const taken = Array.from({ length: 6 }, () => rows.take());
  expect(taken).toEqual(expect.arrayContaining([4, 7]));
});

test('of the rows that are free the lowest goes first', () => {
  const rows = new RowAllocator({ next: 100, free: [70, 4, 33, 7], isFree: () => true });
  rows.reclaim();
  const taken = [rows.take(), rows.take()];
  rows.release([1]);
  expect([...taken, ...Array.from({ length: 4 }, () => rows.take())]).toEqual([4, 7, 1, 33, 70, 100]);
});

test('the bound counts rows that are free before new ones', () => {
  const rows = new RowAllocator({ next: 10, free: [4, 7], isFree: () => true });
  expect([rows.boundAfter(2), rows.boundAfter(5)]).toEqual([10, 13]);
});

test('no row is ever in use twice', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant('take'), fc.nat(50)), { maxLength: 200 }), (steps) => {
      const inUse = new Set<number>();
      const rows = new RowAllocator({ next: 0, free: [], isFree: (row) => !inUse.has(row) });
      for (const step of steps) {
        if (step === 'take') {
          const row = rows.take();
          expect(inUse.has(row)).toBe(false);
          inUse.add(row);
        } else {
          const row = [...inUse][step];
          if (row === undefined) continue;
          inUse.delete(row);
          rows.retire([row]);
        }
      }
    }),
  );
});

test('reclaiming on demand finds rows that became free', () => {
  const rows = new RowAllocator({ next: 0, free: [], isFree: () => true });
  rows.retire([0, 1, 2, 3]);
  rows.reclaim();
  expect(rows.boundAfter(4)).toBe(0);
});

test('rows of many deleted points are used by writes that release as many as they take', () => {
  const rows = new RowAllocator({ next: 0, free: [], isFree: () => true });
  const take = (count: number) => {
    rows.boundAfter(count);
    return Array.from({ length: count }, () => rows.take());
  };
  let live = take(100);
  rows.retire(live.splice(0, 5));
  live.push(...take(5));
  rows.retire(live.splice(0, 50));
  for (let write = 0; write < 50; write++) {
    const put = take(7);
    rows.retire(live.splice(0, 7));
    live = [...live, ...put];
  }
  expect(rows.bound).toBeLessThanOrEqual(107);
});
