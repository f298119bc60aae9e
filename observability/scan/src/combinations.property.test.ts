// SPDX-License-Identifier: Apache-2.0
/** The search finds what an enumeration over the rows finds, by the definition and without pruning. */
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chanceAmong } from './chance.ts';
import { type CubeCell, explainedBy, type Part, type SearchOptions, type Tally } from './combinations.ts';

type TableRow = { readonly values: readonly number[]; readonly fails: boolean };

const ATTRIBUTES = [0, 1, 2, 3];

/** Cells as a statement would count them. */
function cubeOf(rows: readonly TableRow[]): readonly CubeCell[] {
  return [...Map.groupBy(rows, ({ values }) => values.join())].map(([, same]) => ({ at: same[0]?.values ?? [], ...tallyOf(same) }));
}

function tallyOf(rows: readonly TableRow[]): Tally {
  return { size: rows.length, effect: rows.filter(({ fails }) => fails).length };
}

function naive(rows: readonly TableRow[], { supportMin, sizeMin = 0, isChance = () => false }: SearchOptions) {
  const whole = tallyOf(rows);
  const having = (parts: readonly Part[]) => rows.filter(({ values }) => parts.every((part) => values[part.attribute] === part.position));
  const excess = ({ size, effect }: Tally) => effect - (size * whole.effect) / whole.size;
  const isBeyond = (one: Tally, other: Tally, length: number) =>
    one.effect * other.size >= 1.2 * other.effect * one.size && !isChance(one, other, length);
  const isNothing = (rest: Tally, of: Tally, length: number) => excess(rest) <= 0.2 * excess(of) || isChance(rest, whole, length);
  const found: { parts: readonly Part[]; size: number; effect: number }[] = [];
  const values = [...new Set(rows.flatMap((row) => row.values))].filter((value) => value !== 0);
  const all: (readonly Part[])[] = [[]];
  for (const attribute of ATTRIBUTES) {
    all.push(...all.flatMap((set) => values.map((position) => [...set, { attribute, position }])));
  }
  for (const parts of all.filter(({ length }) => length === 2 || length === 3)) {
    const own = having(parts);
    const tally = tallyOf(own);
    if (tally.effect < supportMin || own.length < Math.max(1, sizeMin) || !isBeyond(tally, whole, parts.length)) continue;
    const subsets = Array.from({ length: 2 ** parts.length - 2 }, (_, bits) =>
      parts.filter((_part, index) => (((bits + 1) >> index) & 1) === 1),
    );
    const isMore = subsets.every((subset) => {
      const part = having(subset);
      const rest = part.filter((row) => !own.includes(row));
      return isBeyond(tally, tallyOf(part), parts.length) && isNothing(tallyOf(rest), tallyOf(part), parts.length);
    });
    if (isMore) found.push({ parts, ...tally });
  }
  const isIn = (part: Part, parts: readonly Part[]) =>
    parts.some((each) => each.attribute === part.attribute && each.position === part.position);
  const longest = found.filter(
    (one) => !found.some(({ parts }) => parts.length > one.parts.length && one.parts.every((part) => isIn(part, parts))),
  );
  const nameOf = ({ parts }: { readonly parts: readonly Part[] }) =>
    parts.map(({ attribute, position }) => `${attribute}=${position}`).join();
  const sorted = longest.toSorted(
    (a, b) => excess(b) - excess(a) || a.size - b.size || a.parts.length - b.parts.length || (nameOf(a) < nameOf(b) ? -1 : 1),
  );
  const chosen: typeof found = [];
  for (const one of sorted) {
    const own = having(one.parts);
    const rest = own.filter(
      ({ values: each }) => !chosen.some(({ parts }) => parts.every((part) => each[part.attribute] === part.position)),
    );
    if (chosen.length === 0 || (chosen.length < 5 && !isNothing(tallyOf(rest), one, one.parts.length))) chosen.push(one);
  }
  return chosen;
}

const row = fc.record({ values: fc.tuple(...ATTRIBUTES.map(() => fc.nat(3))), noise: fc.nat(19) });
const planted = fc.array(fc.record({ attribute: fc.nat(3), position: fc.integer({ min: 1, max: 3 }) }), { maxLength: 3 });

test('a search with pruning finds what an enumeration of all combinations finds, with the same counts', () => {
  let combinations = 0;
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 20, maxLength: 300 }),
      fc.array(planted, { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 1, max: 6 }),
      fc.nat(9),
      fc.boolean(),
      (drawn, causes, supportMin, sizeMin, withChance) => {
        const isCaused = (values: readonly number[]) =>
          causes.some((cause) => cause.length > 0 && cause.every(({ attribute, position }) => values[attribute] === position));
        const rows = drawn.map(({ values, noise }) => ({ values, fails: isCaused(values) || noise === 0 }));
        fc.pre(rows.some(({ fails }) => fails));
        const options: SearchOptions = {
          attributes: ATTRIBUTES,
          supportMin,
          sizeMin,
          ...(withChance ? { isChance: chanceAmong(12) } : {}),
        };
        const found = explainedBy(cubeOf(rows), options).combinations;
        const expected = naive(rows, options);
        combinations += expected.length;
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: roundsOf({ quick: 320, long: 6000 }) },
  );
  expect(combinations).toBeGreaterThan(50);
});

describe('of a table with 10,000 rows', () => {
  const random = (seed: number) => {
    let state = seed;
    return () => {
      // A linear congruential generator (Numerical Recipes); its high bits are drawn.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  };
  const table = (seed: number, fails: (values: readonly number[], draw: number) => boolean): readonly TableRow[] => {
    const draw = random(seed);
    return Array.from({ length: 10_000 }, () => {
      const values = ATTRIBUTES.map((attribute) => 1 + Math.floor(draw() * (attribute + 3)));
      return { values, fails: fails(values, draw()) };
    });
  };
  const options = { attributes: ATTRIBUTES, supportMin: 3, isChance: chanceAmong(18) };

  test('the planted triple is found among failures at random, and explains its parts', () => {
    const parts = [
      { attribute: 0, position: 1 },
      { attribute: 1, position: 2 },
      { attribute: 3, position: 4 },
    ];
    for (let seed = 1; seed <= 20; seed += 1) {
      const rows = table(seed, (values, draw) => draw < 0.02 || (values[0] === 1 && values[1] === 2 && values[3] === 4));
      const { combinations, explains } = explainedBy(cubeOf(rows), options);
      const own = rows.filter(({ values }) => parts.every(({ attribute, position }) => values[attribute] === position));
      expect(combinations).toEqual([{ parts, size: own.length, effect: own.length }]);
      for (const part of parts) expect(explains([part])).toBe(true);
    }
  });

  test('failures at random are explained by nothing', () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const cells = cubeOf(table(seed, (_, draw) => draw < 0.05));
      expect(explainedBy(cells, options).combinations).toEqual([]);
    }
  });

  test('where all rows of one value fail, no longer combination says more', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const cells = cubeOf(table(seed, (values, draw) => draw < 0.02 || values[2] === 3));
      expect(explainedBy(cells, options).combinations).toEqual([]);
    }
  });
});
