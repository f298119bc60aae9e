// SPDX-License-Identifier: Apache-2.0
/** Which combinations of values the rows that failed one rule have in common: one statement counts the cells of a cube of the columns that tell the most. */
import type { Column } from '@sextant/observability-connectors';
import type { RuleCheck } from '../checks.ts';
import { type Explanation, explainedBy, type SearchOptions } from '../combinations.ts';
import type { Engine, StatementLimit } from '../engine/engine.ts';
import { type Axis, sizeOf, valueCells } from '../plan/value-cells.ts';
import type { RuleCount } from '../scan.ts';
import { validityOf, windowedRelation } from './rules.ts';

/** How many rows have a value, and how many of them failed. */
export type CountedValue = {
  readonly column: Column;
  readonly value: string | null;
  readonly checked: number;
  readonly failed: number;
};

/** Columns of a cube, those whose values differ the most between rows that failed and all, and cells that it may have. */
const AXES_MAX = 6;
const CELLS_MAX = 20_000;
/** Share of the failed rows that a combination has at least. */
const SUPPORT_MIN = 0.05;

export type CombinationScope = {
  readonly engine: Engine;
  readonly check: RuleCheck;
  readonly count: Pick<RuleCount, 'checked' | 'failed'>;
  /** Of columns that the rule does not read. */
  readonly values: readonly CountedValue[];
  /** Failed rows that a value has at least. */
  readonly failedMin: number;
  readonly isChance: NonNullable<SearchOptions['isChance']>;
  readonly limit: StatementLimit;
};

export type FailingCombinations = Explanation & { readonly axes: readonly Axis[] };

export async function failingCombinations(scope: CombinationScope): Promise<FailingCombinations> {
  const { engine, check, count, values, failedMin, isChance, limit } = scope;
  const supportMin = Math.max(failedMin, SUPPORT_MIN * count.failed);
  const axes = axesOf(values, count, supportMin);
  if (axes.length < 2) return { axes, combinations: [], explains: () => false };
  const { dialect } = engine;
  const cube = valueCells(axes, dialect);
  const rows = await engine.query(
    `SELECT cell, count(met), count(*) FILTER (WHERE NOT met) FROM (SELECT ${cube.cell} AS cell, met FROM (` +
      `SELECT ${[...cube.inner, `${validityOf(check.validSql, check.appliesSql)} AS met`].join(', ')} ` +
      `FROM ${windowedRelation(engine, [check])}${dialect.computedOnce}) AS r) AS c GROUP BY cell ORDER BY cell`,
    limit,
  );
  const cells = rows.map(([cell, size, effect]) => ({ at: cube.at(Number(cell)), size: Number(size), effect: Number(effect) }));
  return { axes, ...explainedBy(cells, { attributes: axes.map((_, axis) => axis), supportMin, isChance }) };
}

/** Values with too few failed rows are in no combination that has enough. */
function axesOf(values: readonly CountedValue[], count: CombinationScope['count'], supportMin: number): readonly Axis[] {
  const columns = [...Map.groupBy(values, ({ column }) => column)]
    .map(([column, own]) => ({ column, own, strength: strengthOf(own, count) }))
    .toSorted((one, other) => other.strength - one.strength);
  const axes: Axis[] = [];
  let cells = 1;
  for (const { column, own } of columns) {
    const kept = own.filter(({ failed, checked }) => failed >= supportMin && checked < count.checked);
    const axis = { column, values: kept.map(({ value }) => value) };
    if (kept.length === 0 || axes.length === AXES_MAX || cells * sizeOf(axis) > CELLS_MAX) continue;
    axes.push(axis);
    cells *= sizeOf(axis);
  }
  return axes;
}

/**
 * How surprising the values of the rows that failed are (relative entropy), as attributes are ranked in Bhagwan et al., "Adtributor: Revenue Debugging in
 * Advertising Systems", NSDI 2014.
 */
function strengthOf(values: readonly CountedValue[], whole: CombinationScope['count']): number {
  return values.reduce((sum, { checked, failed }) => {
    const share = failed / whole.failed;
    return share === 0 ? sum : sum + share * Math.log((share * whole.checked) / checked);
  }, 0);
}
