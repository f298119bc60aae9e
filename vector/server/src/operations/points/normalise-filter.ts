// SPDX-License-Identifier: Apache-2.0
/** Filters with every point id in its canonical form, so that the engine compares ids as they are. */
import { type Condition, type Filter, normalisePointId, type SearchParams } from '@sextant/contracts-vector';

type Clause = Condition | readonly Condition[] | null | undefined;

export function normaliseFilter(filter: Filter): Filter {
  const { must, should, must_not: mustNot, min_should: minShould } = filter;
  return {
    ...(must === undefined ? {} : { must: clause(must) }),
    ...(should === undefined ? {} : { should: clause(should) }),
    ...(mustNot === undefined ? {} : { must_not: clause(mustNot) }),
    ...(minShould ? { min_should: { ...minShould, conditions: minShould.conditions.map(condition) } } : {}),
  };
}

/** The same for a filter that may be left out. */
export function optionalFilter(filter: Filter | null | undefined): { readonly filter?: Filter } {
  return filter === undefined || filter === null ? {} : { filter: normaliseFilter(filter) };
}

/** Parameters of a search, in which a filter may say what a corpus is. */
export function searchParams(params: SearchParams | null | undefined): SearchParams | null {
  if (params == null) return null;
  const { idf } = params;
  return idf == null || idf === 'global' ? params : { ...params, idf: { corpus: normaliseFilter(idf.corpus) } };
}

function clause<C extends Clause>(conditions: C): Condition | readonly Condition[] | null {
  if (conditions === undefined || conditions === null) return null;
  return isList(conditions) ? conditions.map(condition) : condition(conditions);
}

function condition(each: Condition): Condition {
  if ('has_id' in each) return { has_id: each.has_id.map(normalisePointId) };
  if ('nested' in each) return { nested: { ...each.nested, filter: normaliseFilter(each.nested.filter) } };
  return isLeaf(each) ? each : normaliseFilter(each);
}

function isLeaf(each: Condition): each is Exclude<Condition, Filter> {
  return 'key' in each || 'is_empty' in each || 'is_null' in each || 'has_vector' in each || 'slice' in each;
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(conditions: Condition | readonly Condition[]): conditions is readonly Condition[] {
  return Array.isArray(conditions);
}
