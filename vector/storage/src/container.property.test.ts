// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addStoredContainer, Container, countStoredContainer } from './container.ts';
import { RowSet } from './row-set.ts';

/** A run of neighbours that is added or deleted, so that a few changes cross the border between array and bitmap. */
const change = fc.record({
  kind: fc.constantFrom('add' as const, 'add' as const, 'delete' as const),
  from: fc.integer({ min: 0, max: 0xffff }),
  step: fc.integer({ min: 1, max: 7 }),
  count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1000, max: 5000 })),
});

const BASE = 3 * 65_536;

function stored(container: Container): Uint8Array {
  return Uint8Array.from(container.encode());
}

function rowsOf(bytes: Uint8Array): number[] {
  const rows = new RowSet();
  addStoredContainer(bytes, BASE, rows);
  return [...rows].map((row) => row - BASE);
}

describe('a container', () => {
  test('[S8] holds what a Set of 16-bit numbers would, and is stored in at most 8 KiB and its count', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.boolean(), (changes, reload) => {
        let container = Container.empty();
        const model = new Set<number>();
        for (const { kind, from, step, count } of changes) {
          for (let index = 0; index < count; index++) {
            const low = (from + index * step) & 0xffff;
            const expected = kind === 'add' ? !model.has(low) : model.has(low);
            if (container[kind](low) !== expected) throw new Error(`${kind} ${low} should answer ${expected}`);
            model[kind](low);
          }
          if (reload && container.count > 0) container = Container.decode(stored(container));
        }
        expect(container.count).toBe(model.size);
        if (model.size === 0) return;
        const bytes = stored(container);
        expect(bytes.length).toBe(model.size < 4096 ? model.size * 2 : 8196);
        expect(rowsOf(bytes)).toEqual([...model].sort((left, right) => left - right));
      }),
      { numRuns: roundsOf({ quick: 20, long: 600 }) },
    );
  });

  test('[S8] counts its rows within a set without unpacking', () => {
    const within = RowSet.of([BASE + 1, BASE + 5, BASE + 60_000, 4]);
    for (const size of [10, 10_000]) {
      const container = Container.empty();
      for (let low = 0; low < size; low++) container.add(low);
      expect(countStoredContainer(stored(container), BASE, undefined)).toBe(size);
      expect(countStoredContainer(stored(container), BASE, within)).toBe(2);
      expect(countStoredContainer(stored(container), 0, within)).toBe(1);
    }
  });

  test('is refused when its bytes can be no container', () => {
    for (const bytes of [0, 3, 8192, 8194, 8200]) expect(() => Container.decode(new Uint8Array(bytes))).toThrow('container');
  });
});
