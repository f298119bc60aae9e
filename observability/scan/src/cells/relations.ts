// SPDX-License-Identifier: Apache-2.0
/**
 * Order and arithmetic between columns: departure before arrival, total = quantity x price. They are learned from the sample, where they must hold
 * for nearly all rows and not by chance, and their exceptions are read from all rows.
 */
import type { CellTable } from './cell-table.ts';
import type { ColumnValues } from './column-values.ts';
import { isNumber } from './patterns.ts';

export type Relation = {
  readonly kind: 'order' | 'sum' | 'product';
  /** `first <= second` for an order; `third = first + second` or `first * second` else. */
  readonly columns: readonly number[];
  readonly support: number;
  readonly exceptions: number;
};

export type RelationFault = {
  readonly row: number;
  readonly column: number;
  readonly value: string | null;
  readonly score: number;
  readonly reason: string;
  readonly repair: string | null;
};

/** A relation with more exceptions is none: errors of a twentieth are many already. */
const HOLDS = 0.95;
/** Mere correlation orders two columns in most rows, too. */
const ORDER_HOLDS = 0.98;
/** Of pairs put together by chance, so many must break the order, or it follows from the ranges alone. */
const BROKEN_BY_CHANCE = 0.25;
const ROWS_MIN = 30;
const PROBED_ROWS = 300;
const HELD_WHEN_PROBED = 0.8;
const COLUMNS_MAX = 10;
const FAULTS_MAX = 50_000;
const DAY = /^\d{4}-\d{2}-\d{2}([ T].*)?$/;

type Kind = 'number' | 'date';

export async function findRelations(table: CellTable, columns: readonly ColumnValues[]): Promise<readonly Relation[]> {
  const ofKind = (kind: Kind): readonly ColumnValues[] => columns.filter((column) => kindOf(column) === kind).slice(0, COLUMNS_MAX);
  const numbers = ofKind('number');
  const candidates = [...ordersOf(numbers, 'number'), ...ordersOf(ofKind('date'), 'date'), ...(await likelyArithmetic(table, numbers))];
  const found: Relation[] = [];
  for (let at = 0; at < candidates.length; at += 200) found.push(...(await holding(table, candidates.slice(at, at + 200))));
  return found;
}

function kindOf({ values, present }: ColumnValues): Kind | undefined {
  if (present < ROWS_MIN || values.length < 3) return undefined;
  const share = (test: (value: string) => boolean): number =>
    values.reduce((sum, { value, count }) => sum + (test(value) ? count : 0), 0) / present;
  if (share(isNumber) >= 0.8) return 'number';
  return share((value) => DAY.test(value)) >= 0.8 ? 'date' : undefined;
}

type Candidate = {
  readonly kind: Relation['kind'];
  readonly columns: readonly number[];
  /** Whether a row says something of the relation, and whether it follows it. */
  readonly applies: string;
  readonly holds: string;
  /** The same with values of two rows. */
  readonly byChance?: string;
};

function ordersOf(columns: readonly ColumnValues[], kind: Kind): readonly Candidate[] {
  const cast = (sql: string): string => (kind === 'number' ? `TRY_CAST(${sql} AS DOUBLE)` : `TRY_CAST(${sql} AS TIMESTAMP)`);
  return columns.flatMap(({ index: first }) =>
    columns.flatMap(({ index: second }) => {
      if (first === second) return [];
      const [a, b] = [cast(`c${first}`), cast(`c${second}`)];
      return [
        {
          kind: 'order' as const,
          columns: [first, second],
          applies: `${a} IS NOT NULL AND ${b} IS NOT NULL`,
          holds: `${a} <= ${b}`,
          byChance: `${a} <= ${cast(`n${second}`)}`,
        },
      ];
    }),
  );
}

function arithmeticOf(columns: readonly ColumnValues[]): readonly Candidate[] {
  const number = (index: number): string => `TRY_CAST(c${index} AS DOUBLE)`;
  return columns.flatMap(({ index: first }, at) =>
    columns.slice(at + 1).flatMap(({ index: second }) =>
      columns.flatMap(({ index: third }) => {
        if (third === first || third === second) return [];
        const [a, b, c] = [number(first), number(second), number(third)];
        // Nought added and one multiplied show nothing.
        const says = (idle: number): string => `${a} NOT IN (0, ${idle}) AND ${b} NOT IN (0, ${idle}) AND ${c} IS NOT NULL`;
        return [
          { kind: 'sum' as const, columns: [first, second, third], applies: says(0), holds: isNear(c, `(${a} + ${b})`) },
          { kind: 'product' as const, columns: [first, second, third], applies: says(1), holds: isNear(c, `(${a} * ${b})`) },
        ];
      }),
    ),
  );
}

/** A few rows tell which of the many triples of columns are worth counting. */
async function likelyArithmetic(table: CellTable, columns: readonly ColumnValues[]): Promise<readonly Candidate[]> {
  const candidates = arithmeticOf(columns);
  if (candidates.length === 0) return [];
  const present = columns.map(({ index }) => `TRY_CAST(c${index} AS DOUBLE)`);
  const rows = await table.query(`SELECT ${present.join(', ')} FROM ${table.sample} ORDER BY hash(row_id) LIMIT ${PROBED_ROWS}`);
  const at = new Map(columns.map(({ index }, position) => [index, position]));
  return candidates.filter(({ kind, columns: indexes }) => {
    let said = 0;
    let held = 0;
    for (const row of rows) {
      const [a, b, c] = indexes.map((index) => row[at.get(index) ?? 0] ?? null);
      if (a === null || b === null || c === null) continue;
      const expected = kind === 'sum' ? Number(a) + Number(b) : Number(a) * Number(b);
      said += 1;
      held += Math.abs(Number(c) - expected) <= 0.011 + 1e-9 * Math.abs(Number(c)) ? 1 : 0;
    }
    return held >= HELD_WHEN_PROBED * said && said > 0;
  });
}

/** Amounts are rounded to two decimals. */
function isNear(value: string, expected: string): string {
  return `abs(${value} - ${expected}) <= 0.011 + 1e-9 * abs(${value})`;
}

async function holding(table: CellTable, candidates: readonly Candidate[]): Promise<readonly Relation[]> {
  const figures = candidates.flatMap(({ applies, holds, byChance }) => [
    `count(*) FILTER (WHERE ${applies})`,
    `count(*) FILTER (WHERE ${applies} AND ${holds})`,
    byChance === undefined ? '0' : `count(*) FILTER (WHERE ${byChance})`,
  ]);
  if (figures.length === 0) return [];
  const seconds = [...new Set(candidates.flatMap(({ kind, columns }) => (kind === 'order' ? columns.slice(1) : [])))];
  const others = seconds.map((index) => `, lead(c${index}) OVER (ORDER BY hash(row_id)) AS n${index}`).join('');
  const [counts = []] = await table.query(`SELECT ${figures.join(', ')} FROM (SELECT *${others} FROM ${table.sample})`);
  return candidates.flatMap(({ kind, columns, byChance }, at) => {
    const [rows, held, chance] = [0, 1, 2].map((offset) => Number(counts[3 * at + offset] ?? 0));
    if (
      rows === undefined ||
      held === undefined ||
      chance === undefined ||
      rows < ROWS_MIN ||
      held < (kind === 'order' ? ORDER_HOLDS : HOLDS) * rows
    )
      return [];
    if (byChance !== undefined && chance > (1 - BROKEN_BY_CHANCE) * rows) return [];
    return [{ kind, columns, support: held, exceptions: rows - held }];
  });
}

/** The cells of the rows that break a relation, unless one is suspected already; of three, the one that alone has a usual value to be repaired to. */
export async function relationFaults(
  table: CellTable,
  columns: readonly ColumnValues[],
  relations: readonly Relation[],
  isSuspected: (row: number, column: number) => boolean,
): Promise<readonly RelationFault[]> {
  const faults: RelationFault[] = [];
  for (const relation of relations.filter(({ exceptions }) => exceptions > 0)) {
    const own = relation.columns.flatMap((index) => columns.filter((column) => column.index === index));
    const kind = own.some((column) => kindOf(column) === 'date') ? 'date' : 'number';
    const [candidate] =
      relation.kind === 'order'
        ? ordersOf(own, kind)
        : arithmeticOf(own).filter((each) => each.kind === relation.kind && each.columns.at(-1) === relation.columns.at(-1));
    if (candidate === undefined) continue;
    const texts = relation.columns.map((index) => `c${index}`).join(', ');
    const rows = await table.query(
      `SELECT row_id, ${texts} FROM ${table.relation} WHERE ${candidate.applies} AND NOT (${candidate.holds}) LIMIT ${FAULTS_MAX}`,
    );
    for (const [row, ...values] of rows) {
      if (relation.columns.some((column) => isSuspected(Number(row), column))) continue;
      faults.push(...blame(relation, columns, Number(row), values.map(String)));
    }
  }
  return faults;
}

function blame(relation: Relation, columns: readonly ColumnValues[], row: number, values: readonly string[]): readonly RelationFault[] {
  const reason = sentenceOf(relation, columns);
  const place = (
    at: number,
  ): { readonly row: number; readonly column: number; readonly value: string | null; readonly reason: string } => ({
    row,
    column: relation.columns[at] ?? 0,
    value: values[at] ?? null,
    reason,
  });
  // Either may be the wrong one. Numbers are in order by correlation alone, too: they need a second witness.
  if (relation.kind === 'order') return [0, 1].map((at) => ({ ...place(at), score: values.every(isNumber) ? 0.4 : 0.5, repair: null }));
  const [a = 0, b = 0, c = 0] = values.map(Number);
  const implied = relation.kind === 'sum' ? [c - b, c - a, a + b] : [c / b, c / a, a * b];
  const repairs = implied.map((number, at) => usualText(number, columns[relation.columns[at] ?? 0]));
  const usual = [0, 1, 2].filter((at) => repairs[at] !== undefined);
  const [only] = usual;
  if (usual.length === 1 && only !== undefined) return [{ ...place(only), score: 0.85, repair: repairs[only] ?? null }];
  return [{ ...place(2), score: 0.55, repair: null }];
}

function usualText(number: number, column: ColumnValues | undefined): string | undefined {
  return column?.values.find(({ value }) => isNumber(value) && Math.abs(Number(value) - number) < 0.006)?.value;
}

export function sentenceOf({ kind, columns: indexes }: Relation, columns: readonly ColumnValues[]): string {
  const [first = '', second = '', third = ''] = indexes.map((index) => columns[index]?.name ?? '');
  switch (kind) {
    case 'order':
      return `${first} is at most ${second} in nearly all rows`;
    case 'sum':
      return `${third} is ${first} + ${second} in nearly all rows`;
    case 'product':
      return `${third} is ${first} x ${second} in nearly all rows`;
  }
}
