// SPDX-License-Identifier: Apache-2.0
/** How PostgreSQL counts values: several columns in one statement, since it reads whole rows. By their text: some types, such as json, have no equality. */
import type { Frequencies, FrequencyStatement } from './frequencies.ts';
import { countedBySets, orderOfEquals } from './grouping-sets.ts';

/** GROUPING takes at most 31 arguments. */
const TOGETHER = 16;

export const postgresqlFrequencies: Frequencies = { together: TOGETHER, statement };

function statement(request: FrequencyStatement): string {
  const order = `n DESC, ${orderOfEquals(request, { double: 'float8', text: 'v COLLATE "C"' })}`;
  const listed = `rank <= ${request.topLimit}${request.listsSingles ? '' : ' AND n > 1'}`;
  return (
    `WITH frequencies AS (${countedBySets(request)}), ` +
    `ranked AS (SELECT *, row_number() OVER (PARTITION BY c, d, p ORDER BY ${order}) AS rank FROM frequencies WHERE v IS NOT NULL) ` +
    `SELECT c, d, p, count(*), count(*) FILTER (WHERE n = 1), ` +
    `CAST(json_agg(json_build_object('v', left(v, ${request.shownCharacters}), 'n', n) ORDER BY rank) FILTER (WHERE ${listed}) AS text) ` +
    `FROM ranked GROUP BY c, d, p`
  );
}
