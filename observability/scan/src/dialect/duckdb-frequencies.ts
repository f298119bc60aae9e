// SPDX-License-Identifier: Apache-2.0
/** How DuckDB counts values: a column at a time, of which the most frequent are the least of a bounded list. */
import type { Frequencies, FrequencyStatement } from './frequencies.ts';

export const duckdbFrequencies: Frequencies = { together: 1, statement };

function statement({ relation, counted: [counted], positions, ...shown }: FrequencyStatement): string {
  if (counted === undefined) return '';
  const segments = positions.map((_, index) => `segment_${index}`);
  const inner = [`${counted.value} AS v`, ...positions.map((position, index) => `${position} AS segment_${index}`)];
  const isSegmented = segments.length > 0;
  const dimension = isSegmented
    ? `CASE ${segments.map((name, index) => `WHEN GROUPING(${name}) = 0 THEN ${index}`).join(' ')} ELSE -1 END`
    : '-1';
  const position = isSegmented ? `coalesce(${segments.join(', ')}, -1)` : '-1';
  const groups = isSegmented ? `GROUPING SETS ((v), ${segments.map((name) => `(v, ${name})`).join(', ')})` : 'v';
  const frequencies =
    `SELECT ${dimension} AS d, ${position} AS p, v, count(*) AS n FROM (SELECT ${inner.join(', ')} FROM ${relation}) AS r ` +
    `WHERE v IS NOT NULL GROUP BY ${groups}`;
  // The least of these structures are the most frequent values, equals in their order.
  const order = counted.isFloating ? `'o': v, ` : '';
  const top = `min({'n': -n, ${order}'v': ${counted.text('v')}}, ${shown.topLimit})${shown.listsSingles ? '' : ' FILTER (WHERE n > 1)'}`;
  return (
    `SELECT 0, d, p, count(*), count(*) FILTER (WHERE n = 1), ` +
    `CAST(to_json(list_transform(${top}, lambda t: {'v': left(t.v, ${shown.shownCharacters}), 'n': -t.n})) AS VARCHAR) FROM (${frequencies}) GROUP BY d, p`
  );
}
