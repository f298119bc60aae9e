// SPDX-License-Identifier: Apache-2.0
/**
 * How Spark counts values: several columns in one statement, since it reads rows. By their text: some types, such as maps, have no order. What may be listed
 * is put in order apart from what is counted, so that ids, which are many and occur once, are not put in order at all.
 */
import type { Frequencies, FrequencyStatement } from './frequencies.ts';

/** Each is one more copy of a row. */
const TOGETHER = 8;

export const sparkFrequencies: Frequencies = { together: TOGETHER, statement };

function statement({ relation, counted, positions, ...shown }: FrequencyStatement): string {
  const segments = positions.map((_, index) => `segment_${index}`);
  const values = counted.map((_, index) => `v${index}`);
  const inner = [
    ...counted.map(({ value, text }, index) => `${text(value)} AS v${index}`),
    ...positions.map((position, index) => `${position} AS segment_${index}`),
  ];
  const sets = values.flatMap((value) => [`(${value})`, ...segments.map((segment) => `(${value}, ${segment})`)]);
  const floating = counted.flatMap(({ isFloating }, index) => (isFloating ? [index] : []));
  const number = floating.length === 0 ? [] : [`CASE WHEN c IN (${floating.join(', ')}) THEN CAST(v AS DOUBLE) END`];
  const order = ['n DESC', ...number, 'v'].join(', ');
  const list = sparkRankedList({ value: `left(v, ${shown.shownCharacters})`, count: 'n', where: `rank <= ${shown.topLimit}` });
  return (
    `WITH counted AS (SELECT ${chosen(values, String, '-1')} AS c, ${chosen(segments, String, '-1')} AS d, ` +
    `${segments.length === 0 ? '-1' : `coalesce(${segments.join(', ')}, -1)`} AS p, ${chosen(values, (index) => `v${index}`, 'NULL')} AS v, count(*) AS n ` +
    `FROM (SELECT ${inner.join(', ')} FROM ${relation}) AS r GROUP BY GROUPING SETS (${sets.join(', ')})), ` +
    `frequencies AS (SELECT * FROM counted WHERE v IS NOT NULL), ` +
    `totals AS (SELECT c, d, p, count(*) AS different, count(*) FILTER (WHERE n = 1) AS single FROM frequencies GROUP BY c, d, p), ` +
    `ranked AS (SELECT *, row_number() OVER (PARTITION BY c, d, p ORDER BY ${order}) AS rank FROM frequencies${shown.listsSingles ? '' : ' WHERE n > 1'}), ` +
    `lists AS (SELECT c, d, p, ${list} AS list FROM ranked WHERE rank <= ${shown.topLimit} GROUP BY c, d, p) ` +
    `SELECT totals.c, totals.d, totals.p, different, single, list FROM totals ` +
    `LEFT JOIN lists ON totals.c = lists.c AND totals.d = lists.d AND totals.p = lists.p`
  );
}

/** An aggregate over rows with a rank; lists are gathered in any order. */
export function sparkRankedList({
  value,
  count,
  where,
}: {
  readonly value: string;
  readonly count: string;
  readonly where: string;
}): string {
  const ranked = `collect_list(CASE WHEN ${where} THEN struct(rank AS k, ${value} AS v, ${count} AS n) END)`;
  return `to_json(transform(sort_array(${ranked}), item -> struct(item.v AS v, item.n AS n)))`;
}

/** What stands for the one of these columns that a result row is grouped by. */
function chosen(names: readonly string[], then: (index: number) => string, otherwise: string): string {
  if (names.length === 0) return otherwise;
  return `CASE ${names.map((name, index) => `WHEN GROUPING(${name}) = 0 THEN ${then(index)}`).join(' ')} ELSE ${otherwise} END`;
}
