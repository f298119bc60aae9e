// SPDX-License-Identifier: Apache-2.0
/** How PostgreSQL counts values: several columns in one statement, since it reads whole rows. By their text: some types, such as json, have no equality. */
import type { Frequencies, FrequencyStatement } from './frequencies.ts';

/** GROUPING takes at most 31 arguments. */
const TOGETHER = 16;

export const postgresqlFrequencies: Frequencies = { together: TOGETHER, statement };

function statement({ relation, counted, positions, ...shown }: FrequencyStatement): string {
  const segments = positions.map((_, index) => `segment_${index}`);
  const values = counted.map((_, index) => `v${index}`);
  const inner = [
    ...counted.map(({ value, text }, index) => `${text(value)} AS v${index}`),
    ...positions.map((position, index) => `${position} AS segment_${index}`),
  ];
  const sets = values.flatMap((value) => [`(${value})`, ...segments.map((segment) => `(${value}, ${segment})`)]);
  const floating = counted.flatMap(({ isFloating }, index) => (isFloating ? [index] : []));
  const number = floating.length === 0 ? [] : [`CASE WHEN c IN (${floating.join(', ')}) THEN CAST(v AS float8) END`];
  const order = ['n DESC', ...number, 'v COLLATE "C"'].join(', ');
  const listed = `rank <= ${shown.topLimit}${shown.listsSingles ? '' : ' AND n > 1'}`;
  return (
    `WITH frequencies AS (SELECT ${chosen(values, String, '-1')} AS c, ${chosen(segments, String, '-1')} AS d, ` +
    `${segments.length === 0 ? '-1' : `coalesce(${segments.join(', ')}, -1)`} AS p, ${chosen(values, (index) => `v${index}`, 'NULL')} AS v, count(*) AS n ` +
    `FROM (SELECT ${inner.join(', ')} FROM ${relation}) AS r GROUP BY GROUPING SETS (${sets.join(', ')})), ` +
    `ranked AS (SELECT *, row_number() OVER (PARTITION BY c, d, p ORDER BY ${order}) AS rank FROM frequencies WHERE v IS NOT NULL) ` +
    `SELECT c, d, p, count(*), count(*) FILTER (WHERE n = 1), ` +
    `CAST(json_agg(json_build_object('v', left(v, ${shown.shownCharacters}), 'n', n) ORDER BY rank) FILTER (WHERE ${listed}) AS text) ` +
    `FROM ranked GROUP BY c, d, p`
  );
}

/** What stands for the one of these columns that a result row is grouped by. */
function chosen(names: readonly string[], then: (index: number) => string, otherwise: string): string {
  if (names.length === 0) return otherwise;
  return `CASE ${names.map((name, index) => `WHEN GROUPING(${name}) = 0 THEN ${then(index)}`).join(' ')} ELSE ${otherwise} END`;
}
