// SPDX-License-Identifier: Apache-2.0
/** Several columns counted in one pass over rows, for databases that read whole rows: by their text, since some types have no equality or order. */
import type { FrequencyStatement } from './frequencies.ts';

/**
 * A SELECT of one row for each value of a column, in all rows and in each segment: `c` the index of the column, `d` and `p` those of the dimension and of
 * the position in it (-1 for all rows), `v` the value and `n` how often it occurs.
 */
export function countedBySets({ relation, counted, positions }: FrequencyStatement): string {
  const segments = positions.map((_, index) => `segment_${index}`);
  const values = counted.map((_, index) => `v${index}`);
  const inner = [
    ...counted.map(({ value, text }, index) => `${text(value)} AS v${index}`),
    ...positions.map((position, index) => `${position} AS segment_${index}`),
  ];
  const sets = values.flatMap((value) => [`(${value})`, ...segments.map((segment) => `(${value}, ${segment})`)]);
  return (
    `SELECT ${chosen(values, String, '-1')} AS c, ${chosen(segments, String, '-1')} AS d, ` +
    `${segments.length === 0 ? '-1' : `coalesce(${segments.join(', ')}, -1)`} AS p, ${chosen(values, (index) => `v${index}`, 'NULL')} AS v, count(*) AS n ` +
    `FROM (SELECT ${inner.join(', ')} FROM ${relation}) AS r GROUP BY GROUPING SETS (${sets.join(', ')})`
  );
}

/** The order of values that occur equally often: binary fractions as numbers, all else by the bytes of its text. */
export function orderOfEquals(
  { counted }: FrequencyStatement,
  { double, text }: { readonly double: string; readonly text: string },
): string {
  const floating = counted.flatMap(({ isFloating }, index) => (isFloating ? [index] : []));
  const number = floating.length === 0 ? [] : [`CASE WHEN c IN (${floating.join(', ')}) THEN CAST(v AS ${double}) END`];
  return [...number, text].join(', ');
}

/** What stands for the one of these columns that a result row is grouped by. */
function chosen(names: readonly string[], then: (index: number) => string, otherwise: string): string {
  if (names.length === 0) return otherwise;
  return `CASE ${names.map((name, index) => `WHEN GROUPING(${name}) = 0 THEN ${then(index)}`).join(' ')} ELSE ${otherwise} END`;
}
