// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowSet } from './row-set.ts';

const rows = fc.uniqueArray(fc.oneof(fc.nat(100), fc.nat(70_000)), { maxLength: 200 });
const change = fc.record({ kind: fc.constantFrom('add' as const, 'delete' as const), row: fc.nat(300) });
const sorted = (set: Iterable<number>) => [...set].sort((left, right) => left - right);

function expectSame(actual: RowSet, expected: ReadonlySet<number>): void {
  expect([...actual]).toEqual(sorted(expected));
  expect([...actual.toArray()]).toEqual(sorted(expected));
  expect(actual.count()).toBe(expected.size);
  expect(actual.bound).toBe(Math.max(0, ...[...expected].map((row) => row + 1)));
  for (const row of [0, 31, 32, 99, 70_000, 1_000_000, ...expected]) expect(actual.has(row)).toBe(expected.has(row));
}

describe('a row set behaves like a Set of numbers', () => {
  test('under adding and deleting', () => {
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const [actual, expected] = [new RowSet(), new Set<number>()];
        for (const { kind, row } of changes) {
          actual[kind](row);
          expected[kind](row);
        }
        expectSame(actual, expected);
      }),
    );
  });

  test('in union, intersection and difference, whatever their sizes', () => {
    fc.assert(
      fc.property(rows, rows, (left, right) => {
        const [a, b] = [new Set(left), new Set(right)];
        const [x, y] = [RowSet.of(left), RowSet.of(right)];
        expectSame(x.clone().union(y), a.union(b));
        expectSame(x.clone().intersect(y), a.intersection(b));
        expectSame(x.clone().subtract(y), a.difference(b));
        expectSame(x, a);
        expectSame(y, b);
      }),
    );
  });

  test('when whole words are united or counted at an offset', () => {
    fc.assert(
      fc.property(rows, rows, fc.nat(3000), (left, right, offset) => {
        const set = RowSet.of(left);
        const moved = new Set(right.map((row) => row + offset * 32));
        expect(set.countWords(offset, RowSet.of(right).words)).toBe(new Set(left).intersection(moved).size);
        expectSame(set.unionWords(offset, RowSet.of(right).words), new Set(left).union(moved));
      }),
    );
  });

  test('when it is asked where a slice of some rows ends', () => {
    fc.assert(
      fc.property(rows, fc.nat(3000), fc.integer({ min: 1, max: 50 }), (chosen, from, count) => {
        const set = RowSet.of(chosen);
        const end = set.endOf(from, count);
        const within = (to: number) => chosen.filter((row) => row >= from && row < to).length;
        expect(end % 32).toBe(0);
        expect(within(end)).toBeGreaterThanOrEqual(Math.min(count, within(Number.POSITIVE_INFINITY)));
        if (end > from) expect(within(end - 32)).toBeLessThan(count);
      }),
    );
  });
});
