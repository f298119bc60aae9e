// SPDX-License-Identifier: Apache-2.0
import { chooseSeed, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';
import { agreementOf, combineCodes } from './encoded-sample.ts';

const seed = chooseSeed();
const options = { seed, numRuns: roundsOf({ quick: 200, long: 2_000 }) };
const columns = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })), { maxLength: 40 });

test('agreement within groups equals a naive count', () => {
  fc.assert(
    fc.property(columns, fc.constantFrom(1, 1.5, 3), (rows, standsOut) => {
      const present = rows.filter(([x, y]) => x > 0 && y > 0);
      const groups = [...Map.groupBy(present, ([x]) => x).values()].map((group) => {
        const counts = [...Map.groupBy(group, ([, y]) => y).values()].map(({ length }) => length).sort((a, b) => b - a);
        return { rows: group.length, counts, right: group.map(([, y]) => y) };
      });
      const sum = (of: (group: (typeof groups)[number]) => number, from: number): number =>
        groups.filter(({ rows }) => rows >= from).reduce((total, group) => total + of(group), 0);
      const found = agreementOf(
        Int32Array.from(rows, ([x]) => x),
        Int32Array.from(rows, ([, y]) => y),
        standsOut,
      );
      expect(found.agreeing).toBeCloseTo(
        sum(({ rows, counts }) => counts.reduce((squares, n) => squares + n * n, 0) / rows, 2),
        9,
      );
      const repeated = groups.flatMap(({ rows: ofGroup, right }) => (ofGroup >= 2 ? right : []));
      const shares = [...Map.groupBy(repeated, (y) => y).values()].map(({ length }) => length / repeated.length);
      expect(found.chance).toBeCloseTo(repeated.length === 0 ? 1 : shares.reduce((squares, share) => squares + share ** 2, 0), 9);
      expect({ ...found, agreeing: 0, chance: 0 }).toEqual({
        rows: present.length,
        groups: sum(() => 1, 2),
        grouped: sum(({ rows }) => rows, 2),
        agreeing: 0,
        chance: 0,
        inThrees: sum(({ rows }) => rows, 3),
        most: sum(({ counts }) => counts[0] ?? 0, 3),
        clear: sum(({ rows, counts: [first = 0, second = 0] }) => (first > 1 && first >= standsOut * second ? rows : 0), 3),
      });
    }),
    options,
  );
});

test('combined codes are equal exactly where both are, and null where either is', () => {
  fc.assert(
    fc.property(columns, (rows) => {
      const combined = combineCodes(
        Int32Array.from(rows, ([x]) => x),
        Int32Array.from(rows, ([, y]) => y),
      );
      rows.forEach(([x, y], row) => {
        expect(combined[row] === 0).toBe(x === 0 || y === 0);
        rows.forEach(([otherX, otherY], other) => {
          if (combined[row] !== 0 && combined[other] !== 0) expect(combined[row] === combined[other]).toBe(x === otherX && y === otherY);
        });
      });
    }),
    options,
  );
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

test('a distance is that of the naive recursion, or beyond the bound', () => {
  const naive = (a: string, b: string): number => {
    if (a === '' || b === '') return a.length + b.length;
    const swap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
    return Math.min(
      naive(a.slice(0, -1), b) + 1,
      naive(a, b.slice(0, -1)) + 1,
      naive(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1),
      swap ? naive(a.slice(0, -2), b.slice(0, -2)) + 1 : Number.POSITIVE_INFINITY,
    );
  };
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, bound) => {
      const distance = naive(a, b);
      if (distance <= bound) expect(editDistance(a, b, bound)).toBe(distance);
      else expect(editDistance(a, b, bound)).toBeGreaterThan(bound);
    }),
    options,
  );
});
