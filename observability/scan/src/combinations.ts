/**
 * Which combinations of two or three values explain a deviation: failing rows, missing rows, or a change of a mean, as a sum over the cells of a cube.
 *
 * The search goes from values to pairs to triples and looks at no combination of which a part has too little support, since none has more than its parts
 * (Apriori; as an operator on tables: Abuzaid et al., "DIFF: A Relational Interface for Large-Scale Data Explanation", PVLDB 12(4), 2018,
 * https://www.vldb.org/pvldb/vol12/p419-abuzaid.pdf). Where DIFF lists whatever passes its thresholds, a combination must here say more than each of its parts:
 * its rows deviate more than those of the part, and the rest of the part does not deviate, as an exact root cause is told from what surrounds it in
 * Li et al., "Generic and Robust Localization of Multi-dimensional Root Causes" (Squeeze), ISSRE 2019.
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
  /** Effect that a combination has at least, without what opposes it. */
  readonly supportMin: number;
  /** Whether chance gives a part of the whole as much, though somebody looked at all combinations of so many values; left out where nothing is chance. */
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
  const whole = sumOf(cells);
  const judge = new Judge(whole, options);
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
  readonly #isChance: NonNullable<SearchOptions['isChance']>;

  constructor(whole: Tally, { isChance = () => false }: SearchOptions) {
    this.#whole = whole;
    this.#isChance = isChance;
  }

  /** Effect beyond the share of the rows. */
  excessOf({ size, effect }: Tally): number {
    return effect - (size * this.#whole.effect) / this.#whole.size;
  }

  isBeyondWhole(one: Tally, length: number): boolean {
    return this.#isBeyond(one, this.#whole, length);
  }

  saysMore(one: Tally, part: Tally, length: number): boolean {
    return this.#isBeyond(one, part, length) && this.isNothing({ size: part.size - one.size, effect: part.effect - one.effect }, part, length);
  }

  /** Whether what is left of a part is none of what the part explains. */
  isNothing(rest: Tally, part: Tally, length: number): boolean {
    return this.excessOf(rest) <= REST_MAX * this.excessOf(part) || this.#isChance(rest, this.#whole, length);
  }

  #isBeyond(one: Tally, other: Tally, length: number): boolean {
    return one.effect * other.size >= LIFT_MIN * other.effect * one.size && !this.#isChance(one, other, length);
  }
}

function supported(cells: readonly CubeCell[], { attributes, supportMin }: SearchOptions): Tallies {
  const kept = new Map<string, ReadonlyMap<number, Tally>>();
  for (const set of setsOf(attributes)) {
    const parts = set.length === 1 ? [] : set.map((left) => set.filter((attribute) => attribute !== left));
    const found = new Map<number, { size: number; effect: number; support: number }>();
    for (const { at, size, effect } of cells) {
      if (set.some((attribute) => at[attribute] === 0) || parts.some((part) => !kept.get(part.join())?.has(keyOf(at, part)))) continue;
      const key = keyOf(at, set);
      const tally = found.get(key) ?? { size: 0, effect: 0, support: 0 };
      found.set(key, { size: tally.size + size, effect: tally.effect + effect, support: tally.support + Math.max(0, effect) });
    }
    kept.set(set.join(), new Map([...found].filter(([, { support }]) => support >= supportMin)));
  }
  return kept;
}

function sayingMore(tallies: Tallies, judge: Judge): readonly Combination[] {
  return [...tallies].flatMap(([name, values]) => {
    const set = name.split(',').map(Number);
    if (set.length === 1) return [];
    const others = setsOf(set).filter(({ length }) => length < set.length);
    return [...values].flatMap(([key, { size, effect }]) => {
      const one = { parts: partsOf(key, set), size, effect };
      const at = new Map(one.parts.map(({ attribute, position }) => [attribute, position]));
      const isMore = others.every((part) => {
        const tally = tallies.get(part.join())?.get(keyOf(at, part));
        return tally !== undefined && judge.saysMore(one, tally, set.length);
      });
      return isMore && judge.isBeyondWhole(one, set.length) ? [one] : [];
    });
  });
}

function strongestFirst(combinations: readonly Combination[], judge: Judge): readonly Combination[] {
  return combinations.toSorted(
    (one, other) => judge.excessOf(other) - judge.excessOf(one) || one.size - other.size || one.parts.length - other.parts.length,
  );
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

function keyOf(at: readonly number[] | ReadonlyMap<number, number>, set: readonly number[]): number {
  const positionOf = (attribute: number): number => (Array.isArray(at) ? at[attribute] : at.get(attribute)) ?? 0;
  return set.reduce((key, attribute) => key * RADIX + positionOf(attribute), 0);
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
