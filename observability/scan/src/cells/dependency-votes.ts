// SPDX-License-Identifier: Apache-2.0
/**
 * What the dependencies say of single cells. Each dependency whose group has a value that stands out is a vote on both ends of its row: broken, it says
 * that one of its cells is wrong; held, that they are right. Per row the cell with most votes against it is taken for wrong and its votes with it, until
 * no broken dependency is left: the greedy cover of the conflicts of a row (Chu et al., "Holistic data cleaning", ICDE 2013).
 */
import type { CellTable } from './cell-table.ts';
import type { ColumnValues } from './column-values.ts';
import { type Dependency, STANDS_OUT } from './dependencies.ts';

export type CellVote = {
  readonly row: number;
  readonly column: number;
  readonly value: string | null;
  readonly score: number;
  readonly reason: string;
  readonly repair: string | null;
};

export type Votes = {
  readonly wrong: readonly CellVote[];
  /** Cells that dependencies confirm, of the rows that were asked about: row and column as `row:column`. */
  readonly confirmed: ReadonlySet<string>;
};

/** Dependencies that vote on one column. */
const PER_COLUMN = 6;
const ROWS_MAX = 200_000;
/** A value that comes again and again beside the usual one is another usual one: beyond this share of it, and of the empty ones beyond that of the group. */
const ALIKE = 0.03;
const EMPTY_ALIKE = 0.1;
/** Bounds between the sizes of groups, and the rows that a bin must have to be compared with. */
const SIZES = [6, 12, 40];
/** What a further broken dependency of one left side adds. */
const LEFT_AGAIN = 0.25;
const BIN_ROWS_MIN = 100;

type Edge = {
  readonly dependency: Dependency;
  readonly weight: number;
  readonly expected: string;
  readonly actual: string | null;
  readonly left: readonly string[];
};
type RowVotes = { readonly broken: Edge[]; readonly held: Dependency[] };

export function chooseVoters(dependencies: readonly Dependency[]): readonly Dependency[] {
  const byRight = Map.groupBy(dependencies, ({ right }) => right);
  return [...byRight.values()].flatMap((each) =>
    each.toSorted((a, b) => b.strength * b.coverage - a.strength * a.coverage).slice(0, PER_COLUMN),
  );
}

export async function voteByDependencies(
  table: CellTable,
  columns: readonly ColumnValues[],
  voters: readonly Dependency[],
  suspects: ReadonlyMap<number, readonly string[]>,
): Promise<Votes> {
  if (voters.length === 0) return { wrong: [], confirmed: new Set() };
  const rows = new Map<number, RowVotes>();
  for (const [index, dependency] of voters.entries()) {
    const { left, right } = dependency;
    const keys = left.map((key) => `c${key}`);
    const present = keys.map((key) => `${key} IS NOT NULL`).join(' AND ');
    await table.query(
      `CREATE OR REPLACE TEMP TABLE cells_pairs AS SELECT ${keys.join(', ')}, c${right} AS y, count(*) AS n FROM ${table.relation} WHERE ${present} GROUP BY ALL`,
    );
    await table.query(
      `CREATE OR REPLACE TEMP TABLE cells_all_groups AS SELECT ${keys.join(', ')}, max_by(y, n) FILTER (WHERE y IS NOT NULL) AS best, (max(n, 2) FILTER (WHERE y IS NOT NULL))[1] AS n1, ` +
        `coalesce((max(n, 2) FILTER (WHERE y IS NOT NULL))[2], 0) AS n2, sum(n) FILTER (WHERE y IS NOT NULL) AS t, sum(n) AS total FROM cells_pairs GROUP BY ${keys.join(', ')}`,
    );
    await table.query(
      `CREATE OR REPLACE TEMP TABLE cells_groups_${index} AS SELECT * FROM cells_all_groups ` +
        `WHERE n1 >= 2 AND n1 >= ${dependency.standsOut} * n2 AND n1 * 2 >= t AND n1 * 3 >= total`,
    );
    const isError = await errorShares(table);
    const same = keys.map((key) => `p.${key} = c.${key}`).join(' AND ');
    const broken = await table.query(
      `SELECT row_id, c.c${right}, g.best, CAST(g.n1 AS DOUBLE), CAST(g.t AS DOUBLE), CAST(g.total AS DOUBLE), CAST(p.n AS DOUBLE), ${keys.map((key) => `c.${key}`).join(', ')} FROM ${table.relation} AS c JOIN cells_groups_${index} AS g USING (${keys.join(', ')}) ` +
        `JOIN cells_pairs AS p ON ${same} AND p.y IS NOT DISTINCT FROM c.c${right} WHERE c.c${right} IS DISTINCT FROM g.best LIMIT ${ROWS_MAX}`,
    );
    const isOfCopies = dependency.standsOut < STANDS_OUT;
    for (const [row, actual, expected, most, size, total, alike, ...leftValues] of broken) {
      const isEmpty = actual === null || actual === undefined;
      if (!isOfCopies && Number(alike) > Math.max(1, isEmpty ? EMPTY_ALIKE * Number(total) : ALIKE * Number(most))) continue;
      // Out of a group of n with m that agree (Laplace).
      const share = shareOf(dependency) * ((Number(most) + 1) / (Number(size) + 2)) ** 0.5 * (isOfCopies ? 1 : isError(Number(size)));
      if (share <= 0.5) continue;
      const entry = votesOf(rows, Number(row));
      entry.broken.push({
        dependency,
        weight: Math.log(share / (1 - share)),
        expected: String(expected),
        actual: isEmpty ? null : String(actual),
        left: leftValues.map(String),
      });
    }
  }
  await collectHeld(table, voters, rows, suspects);
  const wrong = [...rows].flatMap(([row, votes]) => settle(row, votes, columns));
  const confirmed = new Set([...rows].flatMap(([row, { held }]) => held.map(({ right }) => `${row}:${right}`)));
  return { wrong, confirmed };
}

/** How likely the right side is what its group has. */
function shareOf({ agreement, strength }: Dependency): number {
  return Math.min(0.99, Math.max(0.55, (agreement + strength) / 2));
}

function weightOf(dependency: Dependency): number {
  const share = shareOf(dependency);
  return Math.log(share / (1 - share));
}

/**
 * Of the exceptions in a group of a size, the share that errors make. Errors strike rows, so that they are as frequent in small groups as in large ones;
 * what is merely ambiguous (a city's name in two states) strikes groups, and is most frequent by rows where groups are small.
 */
async function errorShares(table: CellTable): Promise<(size: number) => number> {
  const bins = await table.query(
    `SELECT CASE ${SIZES.map((size, bin) => `WHEN t < ${size} THEN ${bin}`).join(' ')} ELSE ${SIZES.length} END AS bin, CAST(sum(t) AS DOUBLE), CAST(sum(t - n1) AS DOUBLE) ` +
      'FROM cells_all_groups WHERE t >= 3 GROUP BY bin',
  );
  const rates = new Map(
    bins.map(([bin, rows, exceptions]) => [Number(bin), { rows: Number(rows), rate: (Number(exceptions) + 1) / (Number(rows) + 2) }]),
  );
  const least = Math.min(...[...rates.values()].filter(({ rows }) => rows >= BIN_ROWS_MIN).map(({ rate }) => rate));
  return (size) => {
    const found = SIZES.findIndex((limit) => size < limit);
    const own = rates.get(found < 0 ? SIZES.length : found);
    return own === undefined || !Number.isFinite(least) ? 1 : Math.min(1, (1.5 * least) / own.rate);
  };
}

function votesOf(rows: Map<number, RowVotes>, row: number): RowVotes {
  const entry = rows.get(row) ?? { broken: [], held: [] };
  rows.set(row, entry);
  return entry;
}

/** For the rows in question, the dependencies that hold in them. */
async function collectHeld(
  table: CellTable,
  voters: readonly Dependency[],
  rows: Map<number, RowVotes>,
  suspects: ReadonlyMap<number, readonly string[]>,
): Promise<void> {
  const ids = [...rows.keys()].slice(0, ROWS_MAX);
  await table.query('CREATE OR REPLACE TEMP TABLE cells_asked (row_id BIGINT)');
  for (let at = 0; at < ids.length; at += 10_000) {
    await table.query(`INSERT INTO cells_asked SELECT unnest([${ids.slice(at, at + 10_000).join(', ')}])`);
  }
  for (const [column, values] of suspects) {
    if (values.length === 0) continue;
    const list = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ');
    await table.query(`INSERT INTO cells_asked SELECT row_id FROM ${table.relation} WHERE c${column} IN (${list}) LIMIT ${ROWS_MAX}`);
  }
  for (const [index, dependency] of voters.entries()) {
    const { left, right } = dependency;
    const keys = left.map((key) => `c${key}`);
    const held = await table.query(
      `SELECT row_id FROM ${table.relation} AS c JOIN cells_groups_${index} AS g USING (${keys.join(', ')}) ` +
        // The row itself is no witness.
        `WHERE c.c${right} = g.best AND g.n1 >= 3 AND row_id IN (SELECT row_id FROM cells_asked)`,
    );
    for (const [row] of held) votesOf(rows, Number(row)).held.push(dependency);
  }
}

function settle(row: number, { broken, held }: RowVotes, columns: readonly ColumnValues[]): readonly CellVote[] {
  const found: CellVote[] = [];
  let open = broken;
  const cleared = new Map<number, number>();
  for (const { left, right, ...rest } of held) {
    for (const column of [right, ...left])
      cleared.set(column, (cleared.get(column) ?? 0) + weightOf({ left, right, ...rest }) / (column === right ? 1 : 2));
  }
  while (open.length > 0) {
    const against = weighed(open);
    const [worst] = [...against].map(([column, sum]) => ({ column, net: sum - (cleared.get(column) ?? 0) })).sort((a, b) => b.net - a.net);
    if (worst === undefined || worst.net <= 0) break;
    const { column, net } = worst;
    const own = open.filter(({ dependency }) => dependency.right === column);
    const best = own.toSorted((a, b) => b.weight - a.weight)[0];
    const touched = open.filter(({ dependency }) => dependency.left.includes(column));
    // One broken dependency blames its right side: what determines others is rarely wrong alone.
    if (best === undefined && touched.length < 2) break;
    const touching = open.find(({ dependency }) => dependency.right === column || dependency.left.includes(column));
    const said = best ?? touching;
    if (said === undefined) break;
    found.push({
      row,
      column,
      value: best === undefined ? (said.left[said.dependency.left.indexOf(column)] ?? null) : best.actual,
      score: 1 / (1 + Math.exp(-net)),
      reason:
        best === undefined
          ? `does not fit ${columns[said.dependency.right]?.name ?? ''} and other columns of its row`
          : reasonOf(best, columns),
      repair: best?.expected ?? null,
    });
    open = open.filter(({ dependency }) => dependency.right !== column && !dependency.left.includes(column));
  }
  return found;
}

/** What speaks against each column of a row. */
function weighed(open: readonly Edge[]): ReadonlyMap<number, number> {
  const against = new Map<number, number>();
  for (const { dependency, weight } of open) against.set(dependency.right, (against.get(dependency.right) ?? 0) + weight);
  const lefts = new Map<number, number[]>();
  for (const { dependency, weight } of open) {
    // Either column of a pair on the left may be the wrong one.
    for (const column of dependency.left) lefts.set(column, [...(lefts.get(column) ?? []), (weight * 0.9) / dependency.left.length]);
  }
  for (const [column, weights] of lefts) {
    // The columns that one determines hang together (a school's name, city and state): their doubts are one, said several times.
    const [most = 0, ...others] = weights.toSorted((a, b) => b - a);
    against.set(column, (against.get(column) ?? 0) + most + LEFT_AGAIN * others.reduce((sum, weight) => sum + weight, 0));
  }
  return against;
}

function reasonOf({ dependency, expected }: Edge, columns: readonly ColumnValues[]): string {
  const names = dependency.left.map((index) => columns[index]?.name ?? '').join(' and ');
  return `rows with the same ${names} mostly have "${expected}"`;
}
