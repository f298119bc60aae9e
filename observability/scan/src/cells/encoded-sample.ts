// SPDX-License-Identifier: Apache-2.0
/** The sample with a small number for each value, column by column: what the search for dependencies counts. */
import type { CellTable } from './cell-table.ts';

/** By column index; 0 is null. */
export type EncodedSample = { readonly rows: number; readonly codes: ReadonlyMap<number, Int32Array> };

export async function encodeSample(table: CellTable, columns: readonly number[]): Promise<EncodedSample> {
  const ranks = columns.map(
    (index) => `CAST(CASE WHEN c${index} IS NULL THEN 0 ELSE dense_rank() OVER (ORDER BY c${index}) END AS INTEGER)`,
  );
  const rows = await table.query(`SELECT ${ranks.join(', ')} FROM ${table.sample}`);
  const codes = columns.map((index, at) => [index, Int32Array.from(rows, (row) => Number(row[at]))] as const);
  return { rows: rows.length, codes: new Map(codes) };
}

/** One code for each combination of two columns. */
export function combineCodes(one: Int32Array, other: Int32Array): Int32Array {
  const known = new Map<number, number>();
  return one.map((code, row) => {
    const second = other[row] ?? 0;
    if (code === 0 || second === 0) return 0;
    // Codes are at most as many as the sample has rows.
    const key = code * 65_536 + second;
    const combined = known.get(key) ?? known.size + 1;
    known.set(key, combined);
    return combined;
  });
}

/** Of the groups that a left side makes: how their rows agree on the right. */
export type Agreement = {
  readonly rows: number;
  /** Over groups of at least two rows: their number, their rows, and the sum over groups of the probability that two of their rows agree, by rows. */
  readonly groups: number;
  readonly grouped: number;
  readonly agreeing: number;
  /** Probability that two of these rows agree on the right by chance. */
  readonly chance: number;
  /** Over groups of at least three rows: rows, those with the most frequent value, and those in groups where it stands out. */
  readonly inThrees: number;
  readonly most: number;
  readonly clear: number;
};

type Group = { rows: number; squares: number; first: number; second: number };

export function agreementOf(left: Int32Array, right: Int32Array, standsOut: number): Agreement {
  const pairs = new Map<number, number>();
  for (let row = 0; row < left.length; row += 1) {
    const [x = 0, y = 0] = [left[row], right[row]];
    if (x === 0 || y === 0) continue;
    const key = x * 65_536 + y;
    pairs.set(key, (pairs.get(key) ?? 0) + 1);
  }
  const groups = new Map<number, Group>();
  for (const [key, count] of pairs) {
    const x = Math.floor(key / 65_536);
    const group = groups.get(x) ?? { rows: 0, squares: 0, first: 0, second: 0 };
    group.rows += count;
    group.squares += count * count;
    if (count > group.first) [group.first, group.second] = [count, group.first];
    else if (count > group.second) group.second = count;
    groups.set(x, group);
  }
  const sums = { rows: 0, groups: 0, grouped: 0, agreeing: 0, chance: 0, inThrees: 0, most: 0, clear: 0 };
  for (const { rows, squares, first, second } of groups.values()) {
    sums.rows += rows;
    if (rows < 2) continue;
    sums.groups += 1;
    sums.grouped += rows;
    sums.agreeing += squares / rows;
    if (rows < 3) continue;
    sums.inThrees += rows;
    sums.most += first;
    if (first > 1 && first >= standsOut * second) sums.clear += rows;
  }
  return { ...sums, chance: chanceOf(pairs, groups) };
}

/** Of the grouped rows alone: where the left side repeats, the right side may be nearly constant, as all figures are 0 where one is. */
function chanceOf(pairs: ReadonlyMap<number, number>, groups: ReadonlyMap<number, Group>): number {
  const counts = new Map<number, number>();
  let total = 0;
  for (const [key, count] of pairs) {
    if ((groups.get(Math.floor(key / 65_536))?.rows ?? 0) < 2) continue;
    const y = key % 65_536;
    counts.set(y, (counts.get(y) ?? 0) + count);
    total += count;
  }
  return total === 0 ? 1 : [...counts.values()].reduce((sum, count) => sum + (count / total) ** 2, 0);
}
