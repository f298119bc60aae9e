// SPDX-License-Identifier: Apache-2.0
/** A condition may stand wherever a request has a filter; the services take filters alone, so it becomes one on the way out. */
import type { Filter } from '../contract/vector-types.ts';

const FILTERS: ReadonlySet<string> = new Set(['filter', 'update_filter', 'corpus']);
const CLAUSES: ReadonlySet<string> = new Set(['must', 'should', 'must_not', 'min_should']);
/** Data of the caller's own, and long lists of numbers. */
const DATA: ReadonlySet<string> = new Set(['payload', 'payloads', 'vector', 'vectors', 'batch', 'ids', 'defaults', 'metadata']);

type Members = { readonly [name: string]: unknown };

/** The request with filters in place of single conditions; itself where it has none. */
export function withFilters<Body>(body: Body): Body {
  // What is changed has the same members.
  return replaced(body) as Body;
}

function replaced(value: unknown): unknown {
  if (Array.isArray(value)) return typeof value[0] === 'object' ? changedItems(value) : value;
  return isPlain(value) ? changedMembers(value) : value;
}

function changedItems(items: readonly unknown[]): readonly unknown[] {
  const changed = items.map(replaced);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

function changedMembers(members: Members): Members {
  const entries = Object.entries(members).map(([name, member]) => [name, DATA.has(name) ? member : replacedMember(name, member)] as const);
  return entries.some(([name, member]) => member !== members[name]) ? Object.fromEntries(entries) : members;
}

function replacedMember(name: string, member: unknown): unknown {
  const inner = replaced(member);
  return FILTERS.has(name) && isPlain(inner) ? asFilter(inner) : inner;
}

/** Every member of a filter is a clause; an object without members lets every point through, and is a filter too. */
function asFilter(members: Members): Filter {
  const isFilter = Object.keys(members).every((name) => CLAUSES.has(name));
  // What is neither is refused by the service, which says what it lacks.
  return isFilter ? members : { must: [members] };
}

function isPlain(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
