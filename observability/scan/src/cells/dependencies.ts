// SPDX-License-Identifier: Apache-2.0
/**
 * Which columns determine which, almost: one or two columns on the left. The measure is mu+, which of the measures compared by Parciak et al. ("Measuring
 * approximate functional dependencies", ICDE 2024) ranks best: how much better than by chance the value on the right is known from the left. It is taken over
 * groups of at least two rows, as single rows prove nothing. A dependency with faults has one value that stands out in each group; a mere
 * correlation has several frequent ones.
 */
import type { CellTable } from './cell-table.ts';
import type { ColumnValues } from './column-values.ts';
import { agreementOf, combineCodes, type EncodedSample, encodeSample } from './encoded-sample.ts';

export type Dependency = {
  /** Column indexes. */
  readonly left: readonly number[];
  readonly right: number;
  /** mu+: 0 is chance, 1 is without exceptions. */
  readonly strength: number;
  /** Of rows in groups of at least three, those that have their group's most frequent value. */
  readonly agreement: number;
  /** Share of all rows that are in such groups. */
  readonly coverage: number;
  /** How many times as frequent as the next a group's value must be to be believed. */
  readonly standsOut: number;
};

const STRENGTH_MIN = 0.4;
/** Rows in groups where one value stands out. */
const CLEAR_MIN = 0.8;
/** One value stands out where it is so many times as frequent as the next. */
export const STANDS_OUT = 3;
/** And here among rows that are known to be about one thing. */
const STANDS_OUT_OF_COPIES = 1.5;
const COVERAGE_MIN = 0.1;
/** What a key determines at least, and what is asked of the other columns then. */
const KEY_COLUMNS = 3;
const STRENGTH_OF_COPIES = 0.25;
/** A pair of columns is worth having where it explains so much of what the better one leaves open. */
const GAIN_MIN = 0.3;
/** Single columns of which pairs are made, for each right side. */
const PAIR_COLUMNS = 5;
const COLUMNS_MAX = 60;

export async function findDependencies(table: CellTable, columns: readonly ColumnValues[]): Promise<readonly Dependency[]> {
  const usable = columns.filter(({ values, present }) => values.length >= 2 && present >= 10).slice(0, COLUMNS_MAX);
  if (usable.length < 2) return [];
  const sample = await encodeSample(
    table,
    usable.map(({ index }) => index),
  );
  const found: Dependency[] = [];
  const singles = new Map<number, Measured[]>();
  for (const left of usable.filter(repeats)) {
    for (const right of usable) {
      if (left === right) continue;
      const measured = measure(sample, [left.index], right.index);
      if (measured === undefined) continue;
      singles.set(right.index, [...(singles.get(right.index) ?? []), measured]);
      if (isDependency(measured)) found.push(measured);
    }
  }
  for (const right of usable) {
    const ranked = (singles.get(right.index) ?? []).toSorted((a, b) => b.strength - a.strength).slice(0, PAIR_COLUMNS);
    if (ranked.some((each) => isDependency(each) && each.agreement >= 0.95 && each.coverage >= 0.8)) continue;
    for (const [at, one] of ranked.entries()) {
      for (const other of ranked.slice(at + 1)) {
        const measured = measure(sample, [...one.left, ...other.left], right.index);
        if (measured === undefined || !isDependency(measured)) continue;
        const alone = Math.max(one.strength, other.strength);
        if (measured.strength - alone >= GAIN_MIN * (1 - alone)) found.push(measured);
      }
    }
  }
  return [...found, ...amongCopies(usable, [...singles.values()].flat(), found)].map((each) =>
    isKey(each.left, found, usable) ? { ...each, standsOut: STANDS_OUT_OF_COPIES } : each,
  );
}

/**
 * Rows that agree in most columns are copies of one thing, as several sources tell of it: then the other columns are meant to agree as well, however
 * often they do not, and a plain majority is believed.
 */
function isKey(left: readonly number[], found: readonly Dependency[], usable: readonly ColumnValues[]): boolean {
  const determined = found.filter((each) => each.left.length === 1 && each.left[0] === left[0] && left.length === 1);
  return determined.length >= KEY_COLUMNS && determined.length >= (usable.length - 1) / 2;
}

function amongCopies(usable: readonly ColumnValues[], measured: readonly Measured[], found: readonly Dependency[]): readonly Measured[] {
  return measured.filter(
    (each) =>
      !found.includes(each) && each.strength >= STRENGTH_OF_COPIES && each.coverage >= COVERAGE_MIN && isKey(each.left, found, usable),
  );
}

type Measured = Dependency & { readonly clear: number; readonly needed: number };

function isDependency({ strength, clear, coverage, needed }: Measured): boolean {
  return strength >= needed && clear >= CLEAR_MIN && coverage >= COVERAGE_MIN;
}

/** Among few values a correlation looks like a dependency with faults, so more is asked: by the number of values that are equally likely as these. */
function neededStrength(chance: number): number {
  return Math.min(0.85, STRENGTH_MIN + 0.5 / Math.max(0.1, 1 / chance - 1));
}

function repeats({ values, present }: ColumnValues): boolean {
  const inGroups = values.reduce((sum, { count }) => sum + (count >= 3 ? count : 0), 0);
  return inGroups >= COVERAGE_MIN * present;
}

function measure(sample: EncodedSample, left: readonly number[], right: number): Measured | undefined {
  const [one, other] = left.map((index) => sample.codes.get(index));
  const values = sample.codes.get(right);
  if (one === undefined || values === undefined) return undefined;
  const found = agreementOf(other === undefined ? one : combineCodes(one, other), values, STANDS_OUT);
  if (found.inThrees === 0) return undefined;
  const { chance } = found;
  const expected = chance + ((found.groups - 1) / (found.grouped - 1)) * (1 - chance);
  const strength = expected >= 1 ? 0 : Math.max(0, 1 - (1 - found.agreeing / found.grouped) / (1 - expected));
  return {
    left,
    right,
    strength,
    agreement: found.most / found.inThrees,
    clear: found.clear / found.inThrees,
    coverage: found.inThrees / found.rows,
    standsOut: STANDS_OUT,
    needed: neededStrength(chance),
  };
}
