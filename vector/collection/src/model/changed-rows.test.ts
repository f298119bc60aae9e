// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { ChangedRows } from './changed-rows.ts';

const MANY = Array.from({ length: 10_000 }, (_, row) => row);

function changesFrom(sequence: number): ChangedRows {
  return new ChangedRows(ChangedRows.allocate(sequence));
}

describe('the rows that changed', () => {
  test('since an operation are those of the operations after it', () => {
    const changes = changesFrom(7);
    changes.enter(8, [1, 2]);
    changes.enter(9, []);
    changes.enter(10, [2, 3]);
    expect(changes.since(7)).toEqual(new Set([1, 2, 3]));
    expect(changes.since(8)).toEqual(new Set([2, 3]));
    expect(changes.since(9)).toEqual(new Set([2, 3]));
    expect(changes.since(10)).toEqual(new Set());
  });

  test('before the first entry are not known', () => {
    const changes = changesFrom(7);
    changes.enter(8, [1]);
    expect(changes.since(6)).toBeUndefined();
  });

  test('of operations that were undone and whose numbers came again are there too', () => {
    const changes = changesFrom(0);
    for (const [sequence, row] of [
      [1, 10],
      [2, 20],
      [3, 30],
      [1, 11],
      [2, 21],
    ] as const)
      changes.enter(sequence, [row]);
    expect(changes.since(1)).toEqual(new Set([21]));
    expect([...(changes.since(0) ?? [])]).toEqual(expect.arrayContaining([11, 21]));
  });

  test('are seen by every thread that has the memory', () => {
    const shared = ChangedRows.allocate(0);
    new ChangedRows(shared).enter(1, [5]);
    expect(new ChangedRows(shared).since(0)).toEqual(new Set([5]));
  });

  test('are forgotten, and known to be, when too many came after them', () => {
    const changes = changesFrom(0);
    changes.enter(1, MANY);
    expect(changes.since(0)?.size).toBe(MANY.length);
    changes.enter(2, MANY);
    expect(changes.since(0)).toBeUndefined();
    expect(changes.since(1)?.size).toBe(MANY.length);
    changes.enter(3, [...MANY, ...MANY]);
    expect(changes.since(2)).toBeUndefined();
    expect(changes.since(3)).toEqual(new Set());
  });
});
