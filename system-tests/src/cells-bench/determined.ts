// SPDX-License-Identifier: Apache-2.0
/**
 * Of cells whose value was exchanged for another good one, those that anything could find: one or two other columns determine the column in the clean table, and in
 * the dirty one the other rows with the same values there agree on what is right. What no column determines is beyond any search of a table alone.
 */
import type { TextTable } from './text-table.ts';

type Row = readonly string[];
type Determination = { readonly left: readonly number[]; readonly right: number };

/** Rows of a group; fewer prove nothing. */
const GROUP_MIN = 3;
/** Of all rows, in such groups. */
const COVERAGE_MIN = 0.1;
const AGREEMENT_MIN = 0.9;
/** Of what chance leaves open, so much is known from the left. */
const STRENGTH_MIN = 0.4;
/** Other rows of the group of a damaged cell, and the share of them that are right. */
const WITNESSES_MIN = 2;
const WITNESSES_SHARE_MIN = 0.75;

export function determinedCells(clean: TextTable, dirty: TextTable, damaged: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const byColumn = Map.groupBy(damaged, (cell) => Number(cell.split(':')[1]));
  const determinations = determinationsOf(clean);
  for (const { left, right } of determinations) {
    const cells = byColumn.get(right) ?? [];
    if (cells.length === 0) continue;
    const groups = Map.groupBy(dirty.rows.entries(), ([, row]) => keyOf(row, left));
    for (const cell of cells) {
      const at = Number(cell.split(':')[0]);
      const [own, truth] = [dirty.rows[at], clean.rows[at]?.[right]];
      const others = own === undefined ? [] : (groups.get(keyOf(own, left)) ?? []).filter(([index]) => index !== at);
      const agreeing = others.filter(([, row]) => row[right] === truth).length;
      if (others.length >= WITNESSES_MIN && agreeing >= WITNESSES_SHARE_MIN * others.length) found.add(cell);
    }
  }
  return found;
}

function determinationsOf({ columns, rows }: TextTable): readonly Determination[] {
  const lefts = columns.flatMap((_, one) => [[one], ...columns.slice(one + 1).map((__, next) => [one, one + 1 + next])]);
  return lefts.flatMap((left) => {
    const groups = [...Map.groupBy(rows, (row) => keyOf(row, left)).values()].filter(
      (group) => group.length >= GROUP_MIN && left.every((column) => group[0]?.[column] !== ''),
    );
    const grouped = groups.flat();
    if (grouped.length < COVERAGE_MIN * rows.length) return [];
    return columns.flatMap((_, right) => (!left.includes(right) && isDetermined(groups, grouped, right) ? [{ left, right }] : []));
  });
}

function isDetermined(groups: readonly (readonly Row[])[], grouped: readonly Row[], right: number): boolean {
  const agreement = groups.reduce((sum, group) => sum + Math.max(...countsOf(group, right)), 0) / grouped.length;
  const chance = countsOf(grouped, right).reduce((sum, count) => sum + (count / grouped.length) ** 2, 0);
  // mu+, as the search has it, for groups of three and more.
  const expected = chance + ((groups.length - 1) / (grouped.length - 1)) * (1 - chance);
  return agreement >= AGREEMENT_MIN && 1 - agreement <= (1 - STRENGTH_MIN) * (1 - expected);
}

function countsOf(rows: readonly Row[], column: number): readonly number[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row[column] ?? '', (counts.get(row[column] ?? '') ?? 0) + 1);
  return [...counts.values()];
}

function keyOf(row: Row, columns: readonly number[]): string {
  return JSON.stringify(columns.map((column) => row[column] ?? ''));
}
