// SPDX-License-Identifier: Apache-2.0
/**
 * Filters as callers send them, checked and turned into clauses once per request. What a filter means is said in `clause.ts`.
 *
 * Rules that hold throughout:
 * - A member that is null counts as absent. A filter without conditions, or with empty lists of them, matches every point.
 * - JSON has one kind of number here: a stored 1.0 is the integer 1. Integers beyond 2^53 compare exactly.
 * - Text conditions compare tokens (see text/text-analyzer.ts), with an index and without.
 */
import type { Condition, FieldSchema, Filter } from '@sextant/contracts-vector';
import { elementsOf, pathOf } from '../payload/json-path.ts';
import type { Clause } from './clause.ts';
import { type CompileContext, compilePath, deeper, into, refuse, rootContext, spendCondition } from './compile-context.ts';
import { isList } from './conditions.ts';
import { evaluate, type FilterPoint } from './evaluate.ts';
import { compileField } from './field-condition.ts';
import { compileIds, compileSlice } from './point-condition.ts';

export type CompiledFilter = {
  readonly clause: Clause;
  readonly matches: (point: FilterPoint) => boolean;
};

const MEMBERS = ['must', 'should', 'must_not', 'min_should'];

/**
 * Compiles a filter; `schema` answers the index schema of a field by the canonical text of its path.
 * Throws `ServiceError('invalid_filter')` whose reason names the place in the filter and what would be right.
 */
export function compileFilter(filter: Filter, schema: (field: string) => FieldSchema | undefined): CompiledFilter {
  const clause = compileMembers(filter, rootContext(schema));
  return { clause, matches: (point) => evaluate(clause, point) };
}

function compileMembers(filter: Filter, context: CompileContext): Clause {
  const unknown = Object.keys(filter).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) refuse(context.at, `unknown member "${unknown}"; expected ${MEMBERS.join(', ')}`);
  const should = compileList(filter.should, into(context, 'should'));
  const clauses: readonly Clause[] = [
    ...compileList(filter.must, into(context, 'must')),
    ...(should.length === 0 ? [] : [{ kind: 'at-least' as const, count: 1, clauses: should }]),
    ...compileList(filter.must_not, into(context, 'must_not')).map((clause) => ({ kind: 'not' as const, clause })),
    ...compileMinShould(filter.min_should, into(context, 'min_should')),
  ];
  const [only, second] = clauses;
  return only !== undefined && second === undefined ? only : { kind: 'all', clauses };
}

/** Without conditions it matches everything, as an empty `should` does. */
function compileMinShould(minShould: Filter['min_should'], context: CompileContext): readonly Clause[] {
  if (minShould == null) return [];
  const count = minShould.min_count;
  if (!Number.isInteger(count) || count < 1) refuse(`${context.at}.min_count`, `expected an integer of at least 1, got ${String(count)}`);
  const clauses = compileList(minShould.conditions, into(context, 'conditions'));
  return clauses.length === 0 ? [] : [{ kind: 'at-least', count, clauses }];
}

function compileList(conditions: Condition | readonly Condition[] | null | undefined, context: CompileContext): readonly Clause[] {
  if (conditions == null) return [];
  if (!isList(conditions)) return [compileCondition(conditions, context)];
  return conditions.map((condition, index) => compileCondition(condition, { ...context, at: `${context.at}[${index}]` }));
}

function compileCondition(condition: Condition, context: CompileContext): Clause {
  spendCondition(context);
  if (typeof condition !== 'object' || condition === null) refuse(context.at, `expected a condition, got ${String(condition)}`);
  if ('key' in condition) return compileField(condition, compilePath(condition.key, into(context, 'key')), context);
  const [name, second] = Object.keys(condition);
  const inside = into(context, name ?? '');
  if (second !== undefined && !MEMBERS.includes(name ?? ''))
    refuse(context.at, `${name} and ${second} cannot be combined in one condition`);
  if ('is_empty' in condition) return { kind: 'is-empty', path: compilePath(condition.is_empty?.key, into(inside, 'key')) };
  if ('is_null' in condition) {
    return { kind: 'field', path: compilePath(condition.is_null?.key, into(inside, 'key')), test: { kind: 'null', expected: true } };
  }
  if ('nested' in condition) return compileNested(condition.nested, inside);
  if ('has_id' in condition) return { kind: 'has-id', ids: compileIds(condition.has_id, aboutPoint('has_id', inside)) };
  if ('has_vector' in condition) return compileHasVector(condition.has_vector, aboutPoint('has_vector', inside));
  if ('slice' in condition) return compileSlice(condition.slice, aboutPoint('slice', inside));
  return compileMembers(condition, deeper(context));
}

function compileNested({ key, filter }: { readonly key: string; readonly filter: Filter }, context: CompileContext): Clause {
  const path = elementsOf(compilePath(key, into(context, 'key')));
  const within = context.within === undefined ? path : pathOf([...context.within.steps, ...path.steps]);
  return { kind: 'nested', path, clause: compileMembers(filter, { ...deeper(into(context, 'filter')), within }) };
}

function compileHasVector(name: string, { at }: CompileContext): Clause {
  return typeof name === 'string' ? { kind: 'has-vector', name } : refuse(at, 'expected the name of a vector, "" for the unnamed one');
}

/** Conditions about the point itself make no sense for an element of its payload. */
function aboutPoint(name: string, context: CompileContext): CompileContext {
  if (context.within === undefined) return context;
  return refuse(context.at, `${name} applies to a point and cannot be used inside nested; put it beside the nested condition`);
}
