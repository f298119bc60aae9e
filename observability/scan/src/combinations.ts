// SPDX-License-Identifier: Apache-2.0
/**
 * Which combinations of two or three values explain a deviation: failing rows, missing rows, or a change of a mean, as a sum over the cells of a cube.
 *
 * The search goes from values to pairs to triples and looks at no combination of which a part has too little support, since none has more than its parts
 * (Apriori; as an operator on tables: Abuzaid et al., "DIFF: A Relational Interface for Large-Scale Data Explanation", PVLDB 12(4), 2018,
 * https://www.vldb.org/pvldb/vol12/p419-abuzaid.pdf). Where DIFF lists whatever passes its thresholds, a combination must here say more than each of its parts:
 * its rows deviate more than those of the part, and the rest of the part does not deviate, as an exact root cause is distinguished from what surrounds it in
 * Li et al., "Generic and Robust Localization of Multi-Dimensional Root Causes" (Squeeze), ISSRE 2019.
 */

/** Of rows that agree on all attributes, or on one combination of values. */
export type Tally = {
  readonly size: number;
  /** How much of the deviation they have. */
  readonly effect: number;
};

export type CubeCell = Tally & {
  /** By attribute, the position of the value, from 1; 0 for all values that are not told apart. */
  readonly at: readonly number[];
};

export type Part = { readonly attribute: number; readonly position: number };

/** Ascending by attribute. */
export type Combination = Tally & { readonly parts: readonly Part[] };

export type SearchOptions = {
  /** Positions in `at`. */
  readonly attributes: readonly number[];
  /** Effect and size that a combination has at least. */
  readonly supportMin: number;
  readonly sizeMin?: number;
  /** Whether chance gives a part of the whole as much, though all combinations of so many values were looked at; left out where nothing is chance. */
  readonly isChance?: (part: Tally, whole: Tally, length: number) => boolean;
};

export type Explanation = {
  /** Those that explain the most first; none explains what the ones before it do. */
  readonly combinations: readonly Combination[];
  /** Whether the rows with these values deviate for no more than the combinations. */
  readonly explains: (parts: readonly Part[]) => boolean;
};

const LENGTH_MAX = 3;
/** How much stronger the deviation is in a combination than in each of its parts and in the whole. */
export const LIFT_MIN = 1.2;
/** Share of what a part explains that its rows outside may have. */
const REST_MAX = 0.2;
const COMBINATIONS_MAX = 5;
/** Of those that say more than their parts, so many are compared with each other. */
const COMPARED_MAX = 100;
/** Above any position. */
const RADIX = 1024;

/** Sets of attributes by name, and what their values come to. */
type Tallies = ReadonlyMap<string, ReadonlyMap<number, Tally>>;

export function explainedBy(cells: readonly CubeCell[], options: SearchOptions): Explanation {
  const judge = new Judge(sumOf(cells), options);
  const saying = strongestFirst(sayingMore(supported(cells, options), judge), judge).slice(0, COMPARED_MAX);
  // A part that says more than its own parts still says less than the whole combination.
  const candidates = saying.filter((one) => !saying.some((other) => isPartOf(one, other)));
  const combinations: Combination[] = [];
  const explains = (parts: readonly Part[]): boolean => {
    if (combinations.length === 0) return false;
    const own = cells.filter((cell) => hasAll(cell, parts));
    const rest = own.filter((cell) => !combinations.some((one) => hasAll(cell, one.parts)));
    return judge.isNothing(sumOf(rest), sumOf(own), parts.length);
  };
  for (const candidate of candidates) {
    if (combinations.length < COMBINATIONS_MAX && !explains(candidate.parts)) combinations.push(candidate);
  }
  return { combinations, explains };
}

/** What counts as a deviation beside that of the whole. */
class Judge {
  readonly #whole: Tally;
  readonly #supportMin: number;
  readonly #isChance: NonNullable<SearchOptions['isChance']>;

  constructor(whole: Tally, { supportMin, isChance = () => false }: SearchOptions) {
    this.#whole = whole;
    this.#supportMin = supportMin;
    this.#isChance = isChance;
  }

  /** Effect beyond the share of the rows. */
  excessOf({ size, effect }: Tally): number {
    return effect - (size * this.#whole.effect) / this.#whole.size;
  }

  /** By itself: what opposes a deviation takes from its effect, though not from its support. */
  isEnough(one: Tally, length: number): boolean {
    return one.effect >= this.#supportMin && this.#isBeyond(one, this.#whole, length);
  }

  saysMore(one: Tally, part: Tally, length: number): boolean {
    const rest = { size: part.size - one.size, effect: part.effect - one.effect };
    return this.#isBeyond(one, part, length) && this.isNothing(rest, part, length);
  }

  /** Whether what is left of a part is none of what the part explains. */
  isNothing(rest: Tally, part: Tally, length: number): boolean {
    return this.excessOf(rest) <= REST_MAX * this.excessOf(part) || this.#isChance(rest, this.#whole, length);
  }

  #isBeyond(one: Tally, other: Tally, length: number): boolean {
    return one.effect * other.size >= LIFT_MIN * other.effect * one.size && !this.#isChance(one, other, length);
  }
}

function supported(cells: readonly CubeCell[], { attributes, supportMin, sizeMin = 0 }: SearchOptions): Tallies {
  const kept = new Map<string, ReadonlyMap<number, Tally>>();
  for (const set of setsOf(attributes)) {
    const parts = set.length === 1 ? [] : set.map((left) => set.filter((attribute) => attribute !== left));
    const known = parts.map((part) => ({ part, tallies: kept.get(part.join()) }));
    const found = new Map<number, { size: number; effect: number; support: number }>();
    for (const { at, size, effect } of cells) {
      if (set.some((attribute) => at[attribute] === 0) || !known.every(({ part, tallies }) => tallies?.has(keyOf(at, part)))) continue;
      const key = keyOf(at, set);
      const tally = found.get(key) ?? { size: 0, effect: 0, support: 0 };
      found.set(key, { size: tally.size + size, effect: tally.effect + effect, support: tally.support + Math.max(0, effect) });
    }
    kept.set(set.join(), new Map([...found].filter(([, { size, support }]) => support >= supportMin && size >= sizeMin)));
  }
  return kept;
}

function sayingMore(tallies: Tallies, judge: Judge): readonly Combination[] {
  return [...tallies].flatMap(([name, values]) => {
    const set = name.split(',').map(Number);
    const others = setsOf(set).filter(({ length }) => length < set.length);
    if (others.length === 0) return [];
    return [...values].flatMap(([key, { size, effect }]) => {
      const one = { parts: partsOf(key, set), size, effect };
      const isMore = others.every((other) => {
        const tally = tallies.get(other.join())?.get(keyOfParts(one.parts.filter(({ attribute }) => other.includes(attribute))));
        return tally !== undefined && judge.saysMore(one, tally, set.length);
      });
      return isMore && judge.isEnough(one, set.length) ? [one] : [];
    });
  });
}

function strongestFirst(combinations: readonly Combination[], judge: Judge): readonly Combination[] {
  return combinations.toSorted(
    (one, other) =>
      judge.excessOf(other) - judge.excessOf(one) ||
      one.size - other.size ||
      one.parts.length - other.parts.length ||
      (nameOf(one) < nameOf(other) ? -1 : 1),
  );
}

function nameOf({ parts }: Combination): string {
  return parts.map(({ attribute, position }) => `${attribute}=${position}`).join();
}

/** All sets of one to three of them, the smaller ones first. */
function setsOf(attributes: readonly number[]): readonly (readonly number[])[] {
  const sets: (readonly number[])[] = attributes.map((attribute) => [attribute]);
  for (const set of sets) {
    if (set.length === LENGTH_MAX) break;
    const after = attributes.slice(attributes.indexOf(set.at(-1) ?? 0) + 1);
    sets.push(...after.map((attribute) => [...set, attribute]));
  }
  return sets;
}

function keyOf(at: readonly number[], set: readonly number[]): number {
  return set.reduce((key, attribute) => key * RADIX + (at[attribute] ?? 0), 0);
}

function keyOfParts(parts: readonly Part[]): number {
  return parts.reduce((key, { position }) => key * RADIX + position, 0);
}

function partsOf(key: number, set: readonly number[]): readonly Part[] {
  return set.map((attribute, index) => ({ attribute, position: Math.floor(key / RADIX ** (set.length - 1 - index)) % RADIX }));
}

function isPartOf(one: Combination, other: Combination): boolean {
  return (
    one.parts.length < other.parts.length &&
    one.parts.every((part) => other.parts.some(({ attribute, position }) => attribute === part.attribute && position === part.position))
  );
}

function hasAll({ at }: CubeCell, parts: readonly Part[]): boolean {
  return parts.every(({ attribute, position }) => at[attribute] === position);
}

function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, { size, effect }) => ({ size: sum.size + size, effect: sum.effect + effect }), { size: 0, effect: 0 });
}
