/**
 * What the dependencies say of single cells. Each dependency whose group has a value that stands out is a vote on both ends of its row: broken, it says
 * that one of its cells is wrong; held, that they are right. Per row the cell with most votes against it is taken for wrong and its votes with it, until
 * no broken dependency is left: the greedy cover of the conflicts of a row (Chu et al., "Holistic data cleaning", ICDE 2013).
 */
import type { CellTable } from './cell-table.ts';
import type { ColumnValues } from './column-values.ts';
import type { Dependency } from './dependencies.ts';

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
      `CREATE OR REPLACE TEMP TABLE cells_groups_${index} AS WITH pairs AS (SELECT ${keys.join(', ')}, c${right} AS y, count(*) AS n FROM ${table.relation} WHERE ${present} GROUP BY ALL) ` +
        `SELECT ${keys.join(', ')}, max_by(y, n) FILTER (WHERE y IS NOT NULL) AS best, (max(n, 2) FILTER (WHERE y IS NOT NULL))[1] AS n1, ` +
        `coalesce((max(n, 2) FILTER (WHERE y IS NOT NULL))[2], 0) AS n2, sum(n) FILTER (WHERE y IS NOT NULL) AS t, sum(n) AS total FROM pairs GROUP BY ${keys.join(', ')} ` +
        `HAVING n1 >= 2 AND n1 >= ${dependency.standsOut} * n2 AND n1 * 2 >= t AND n1 * 3 >= total`,
    );
    const broken = await table.query(
      `SELECT row_id, c.c${right}, g.best, CAST(g.n1 AS DOUBLE), CAST(g.t AS DOUBLE), ${keys.map((key) => `c.${key}`).join(', ')} FROM ${table.relation} AS c JOIN cells_groups_${index} AS g USING (${keys.join(', ')}) ` +
        `WHERE c.c${right} IS DISTINCT FROM g.best LIMIT ${ROWS_MAX}`,
    );
    for (const [row, actual, expected, most, size, ...leftValues] of broken) {
      const entry = votesOf(rows, Number(row));
      entry.broken.push({
        dependency,
        // Out of a group of n with m that agree (Laplace).
        weight: weightOf(dependency) * ((Number(most) + 1) / (Number(size) + 2)),
        expected: String(expected),
        actual: actual === null || actual === undefined ? null : String(actual),
        left: leftValues.map(String),
      });
    }
  }
  await collectHeld(table, voters, rows, suspects);
  const wrong = [...rows].flatMap(([row, votes]) => settle(row, votes, columns));
  const confirmed = new Set([...rows].flatMap(([row, { held }]) => held.map(({ right }) => `${row}:${right}`)));
  return { wrong, confirmed };
}

function weightOf({ agreement, strength }: Dependency): number {
  const share = Math.min(0.99, Math.max(0.55, (agreement + strength) / 2));
  return Math.log(share / (1 - share));
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
    const against = new Map<number, number>();
    for (const { dependency, weight } of open) {
      against.set(dependency.right, (against.get(dependency.right) ?? 0) + weight);
      // Either column of a pair on the left may be the wrong one.
      for (const column of dependency.left) against.set(column, (against.get(column) ?? 0) + (weight * 0.9) / dependency.left.length);
    }
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

function reasonOf({ dependency, expected }: Edge, columns: readonly ColumnValues[]): string {
  const names = dependency.left.map((index) => columns[index]?.name ?? '').join(' and ');
  return `rows with the same ${names} mostly have "${expected}"`;
}
