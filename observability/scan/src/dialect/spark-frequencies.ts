// SPDX-License-Identifier: Apache-2.0
/**
 * How Spark counts values: several columns in one statement, since it reads rows. By their text: some types, such as maps, have no order. What may be listed
 * is put in order apart from what is counted, so that ids, which are many and occur once, are not put in order at all.
 */
import type { Frequencies, FrequencyStatement } from './frequencies.ts';
import { countedBySets, orderOfEquals } from './grouping-sets.ts';

/** Each is one more copy of a row. */
const TOGETHER = 8;

export const sparkFrequencies: Frequencies = { together: TOGETHER, statement };

function statement(request: FrequencyStatement): string {
  const order = `n DESC, ${orderOfEquals(request, { double: 'DOUBLE', text: 'v' })}`;
  const list = sparkRankedList({ value: `left(v, ${request.shownCharacters})`, count: 'n', where: `rank <= ${request.topLimit}` });
  return (
    `WITH counted AS (${countedBySets(request)}), ` +
    `frequencies AS (SELECT * FROM counted WHERE v IS NOT NULL), ` +
    `totals AS (SELECT c, d, p, count(*) AS different, count(*) FILTER (WHERE n = 1) AS single FROM frequencies GROUP BY c, d, p), ` +
    `ranked AS (SELECT *, row_number() OVER (PARTITION BY c, d, p ORDER BY ${order}) AS rank FROM frequencies${request.listsSingles ? '' : ' WHERE n > 1'}), ` +
    `lists AS (SELECT c, d, p, ${list} AS list FROM ranked WHERE rank <= ${request.topLimit} GROUP BY c, d, p) ` +
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
