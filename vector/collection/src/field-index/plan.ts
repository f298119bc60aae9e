// SPDX-License-Identifier: Apache-2.0
/**
 * The rows of a filter, from the field indexes. Each clause is answered exactly, or by a superset that has to be checked against the
 * payloads, or not at all; the rules below combine the three kinds without ever losing a row. An unanswered clause counts as
 * the superset of all rows. With and without indexes the selected points are the same; property tests hold this.
 */
import { RowSet } from '@sextant/vector-storage';
import type { Clause } from '../filter/clause.ts';
import type { CompiledFilter } from '../filter/compile.ts';
import { type JsonPath, pathOf } from '../payload/json-path.ts';
import { planEmpty, planField } from './plan-field.ts';
import { type PostingReader, PostingSource } from './posting-source.ts';
import type { FieldIndex } from './schema.ts';

export type FilterPlan = {
  /** A set of the caller's own. */
  readonly rows: RowSet;
  /** False where `rows` is a superset, and the filter has to be evaluated on each row. */
  readonly exact: boolean;
};

type LeafClause = Extract<Clause, { kind: 'field' | 'is-empty' }>;

/** `min_should` counts up to this many; above it, rows that reach this many are a superset. */
const COUNTED_MAX = 16;

/** Undefined where the indexes cannot narrow the filter. `indexes` are the ones that the filter was compiled with, by canonical field name. */
export function planFilter(
  { clause }: CompiledFilter,
  indexes: ReadonlyMap<string, FieldIndex>,
  reader: PostingReader,
): FilterPlan | undefined {
  return new Planner(indexes, new PostingSource(reader)).plan(clause);
}

class Planner {
  readonly #indexes: ReadonlyMap<string, FieldIndex>;
  readonly #source: PostingSource;
  /** The array of a nested filter that is being planned. */
  readonly #within: JsonPath | undefined;

  constructor(indexes: ReadonlyMap<string, FieldIndex>, source: PostingSource, within?: JsonPath) {
    this.#indexes = indexes;
    this.#source = source;
    this.#within = within;
  }

  plan(clause: Clause): FilterPlan | undefined {
    switch (clause.kind) {
      case 'all':
        return this.#planAll(clause.clauses);
      case 'at-least':
        return this.#planAtLeast(clause.clauses, clause.count);
      case 'not': {
        const excluded = this.plan(clause.clause);
        return excluded?.exact ? { rows: this.#source.live().subtract(excluded.rows), exact: true } : undefined;
      }
      case 'has-id':
        return { rows: this.#rowsOfIds(clause.ids), exact: true };
      case 'nested':
        return this.#planNested(clause.path, clause.clause);
      case 'has-vector':
      case 'slice':
        return undefined;
      case 'field':
      case 'is-empty':
        return this.#planLeaf(clause);
    }
  }

  #planLeaf(clause: LeafClause): FilterPlan | undefined {
    const path = this.#within === undefined ? clause.path : pathOf([...this.#within.steps, ...clause.path.steps]);
    const index = this.#indexes.get(path.text);
    if (index === undefined) return undefined;
    if (this.#within === undefined) return this.#planIndexed(index, path, clause);
    // Inside nested an index knows of some element, not of which: never exact, so that no exclusion is ever derived from it.
    const plan = isAboutSome(clause) ? this.#planIndexed(index, path, clause) : undefined;
    return plan && { rows: plan.rows, exact: false };
  }

  #planIndexed(index: FieldIndex, path: JsonPath, clause: LeafClause): FilterPlan | undefined {
    switch (clause.kind) {
      case 'is-empty':
        return planEmpty(index, this.#source);
      case 'field':
        return planField(index, path, clause.test, this.#source);
    }
  }

  /** Intersects what is known; what is known exactly to be excluded is taken out. */
  #planAll(clauses: readonly Clause[]): FilterPlan | undefined {
    if (clauses.length === 0) return { rows: this.#source.live(), exact: true };
    let rows: RowSet | undefined;
    let exact = true;
    const excluded: RowSet[] = [];
    for (const clause of clauses) {
      const plan = this.plan(clause.kind === 'not' ? clause.clause : clause);
      if (!plan?.exact) exact = false;
      if (plan === undefined) continue;
      if (clause.kind !== 'not') rows = rows === undefined ? plan.rows : rows.intersect(plan.rows);
      else if (plan.exact) excluded.push(plan.rows);
    }
    if (rows === undefined && excluded.length === 0) return undefined;
    rows ??= this.#source.live();
    for (const set of excluded) rows.subtract(set);
    return { rows, exact };
  }

  /** An unanswered clause may hold anywhere, so it lowers the count that the others must reach. */
  #planAtLeast(clauses: readonly Clause[], count: number): FilterPlan | undefined {
    if (count > clauses.length) return { rows: new RowSet(), exact: true };
    if (count === clauses.length) return this.#planAll(clauses);
    const answers = clauses.map((clause) => this.plan(clause));
    const plans = answers.filter((plan) => plan !== undefined);
    const needed = count - (answers.length - plans.length);
    if (needed < 1) return undefined;
    const counted = Math.min(needed, COUNTED_MAX);
    const exact = plans.length === answers.length && counted === needed && plans.every((plan) => plan.exact);
    return {
      rows: rowsInAtLeast(
        plans.map((plan) => plan.rows),
        counted,
      ),
      exact,
    };
  }

  /** Each condition holds for some element, though it may be another one for each: a superset. */
  #planNested(path: JsonPath, clause: Clause): FilterPlan | undefined {
    const within = this.#within === undefined ? path : pathOf([...this.#within.steps, ...path.steps]);
    const plan = new Planner(this.#indexes, this.#source, within).plan(clause);
    return plan && { rows: plan.rows, exact: false };
  }

  #rowsOfIds(ids: Extract<Clause, { kind: 'has-id' }>['ids']): RowSet {
    const rows = new RowSet();
    for (const id of ids) {
      const row = this.#source.rowOf(id);
      if (row !== undefined) rows.add(row);
    }
    return rows;
  }
}

/** The rows that are in at least `count` of the sets: `reached[n]` are those seen in more than n sets so far. */
function rowsInAtLeast(sets: readonly RowSet[], count: number): RowSet {
  const reached = Array.from({ length: count }, () => new RowSet());
  for (const set of sets) {
    // From the highest count down, so that one set counts once.
    for (let level = count - 1; level >= 0; level--) {
      const below = reached[level - 1];
      reached[level]?.union(below === undefined ? set : set.clone().intersect(below));
    }
  }
  return reached.at(-1) ?? new RowSet();
}

/** Whether a clause holds because of one value at its path, whatever the other values are. */
function isAboutSome(clause: LeafClause): boolean {
  if (clause.kind !== 'field') return false;
  if (clause.test.kind === 'null') return clause.test.expected;
  return clause.test.kind !== 'values-count' && clause.test.kind !== 'empty';
}
