// SPDX-License-Identifier: Apache-2.0
/** Hits by the values that they have at a payload key. A group keeps the best hits that it is given, up to its size. */
import type { Condition, PointId } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import type { Hit } from '../model/requests.ts';
import { elementsOf, isJsonArray, type JsonPath, resolvePath } from '../payload/json-path.ts';
import { parseRequestPath } from '../payload/payload-change.ts';
import { keyOf, type Scored } from './scored.ts';

export type GroupId = string | number | bigint;

/** How hits are ranked: by score, or as they come where a score does not say it. */
export type Ranking = 'largest first' | 'smallest first' | 'as they come';

export type HitGroup = { readonly id: GroupId; readonly hits: readonly Scored[] };

export class HitGroups {
  /** In the order in which their first hits came. */
  readonly #groups = new Map<string, HitGroup>();
  readonly #key: string;
  readonly #path: JsonPath;
  readonly #size: number;
  readonly #ranking: Ranking;
  readonly #unlisted: PointId[] = [];

  constructor({ key, size, ranking }: { readonly key: string; readonly size: number; readonly ranking: Ranking }) {
    this.#key = key;
    this.#path = parseRequestPath(key, 'group_by');
    this.#size = size;
    this.#ranking = ranking;
  }

  get count(): number {
    return this.#groups.size;
  }

  /** Points whose values no condition of `outsideAll` tells from those of an unknown group. */
  get unlisted(): readonly PointId[] {
    return this.#unlisted;
  }

  /** The groups of the best hits. */
  best(limit: number): readonly HitGroup[] {
    const groups = [...this.#groups.values()];
    const compare = comparison(this.#ranking);
    const ranked = compare === undefined ? groups : groups.toSorted((a, b) => compare(a.hits[0], b.hits[0]));
    return ranked.slice(0, limit);
  }

  isFull({ hits }: HitGroup): boolean {
    return hits.length >= this.#size;
  }

  /** Puts hits, the best first, into the groups of their values. */
  add(hits: readonly Hit[]): void {
    for (const [name, { id, added }] of this.#byGroup(hits)) {
      const known = this.#groups.get(name)?.hits ?? [];
      this.#groups.set(name, { id, hits: this.#merged(known, added) });
    }
  }

  /** As `add`, from an answer without the hits of known groups alone: what it says of known groups would leave out better hits of theirs. */
  addUnknown(hits: readonly Hit[]): void {
    for (const [name, { id, added }] of this.#byGroup(hits)) {
      if (!this.#groups.has(name)) this.#groups.set(name, { id, hits: this.#merged([], added) });
    }
  }

  /** Takes the best hits of groups again, from an answer that holds the best of these groups. Others that the points are also in stay as they are. */
  renew(groups: readonly HitGroup[], hits: readonly Hit[]): void {
    const renewed = new Set(groups.map(({ id }) => nameOf(id)));
    for (const [name, { id, added }] of this.#byGroup(hits)) {
      if (!renewed.has(name)) continue;
      // Without scores to merge by, the order of the answer is the order of the group.
      const known = this.#ranking === 'as they come' ? [] : (this.#groups.get(name)?.hits ?? []);
      const merged = this.#merged(known, added);
      if (merged.length >= (this.#groups.get(name)?.hits.length ?? 0)) this.#groups.set(name, { id, hits: merged });
    }
  }

  /** Holds for points that have a value outside of all known groups, and for few others. */
  outsideAll(): readonly Condition[] {
    return this.#conditions([...this.#groups.values()], (values) => ({ except: values }));
  }

  /** Holds for the points of the groups; one of the conditions has to. */
  insideAny(groups: readonly HitGroup[]): readonly Condition[] {
    return this.#conditions(groups, (values) => ({ any: values }));
  }

  #conditions(
    groups: readonly HitGroup[],
    match: (values: readonly string[]) => { any: readonly string[] } | { except: readonly string[] },
  ) {
    const ids = groups.map(({ id }) => id);
    const lists = [ids.filter((id) => typeof id === 'string'), ids.filter((id) => typeof id !== 'string')];
    // A list is of strings or of integers; the type of a condition names the first of these alone.
    return lists.filter((list) => list.length > 0).map((list): Condition => ({ key: this.#key, match: match(list as readonly string[]) }));
  }

  #byGroup(hits: readonly Hit[]): ReadonlyMap<string, { readonly id: GroupId; readonly added: Scored[] }> {
    const byGroup = new Map<string, { readonly id: GroupId; readonly added: Scored[] }>();
    for (const hit of hits) {
      const values = this.#valuesOf(hit);
      const { id, score, version, order_value: order } = hit;
      for (const value of values) {
        const name = nameOf(value);
        const group = byGroup.get(name) ?? { id: value, added: [] };
        byGroup.set(name, group);
        group.added.push({ id, score, version, ...(order === undefined ? {} : { order_value: order }) });
      }
    }
    return byGroup;
  }

  /** Each point once, where it is best. */
  #merged(known: readonly Scored[], added: readonly Scored[]): readonly Scored[] {
    const all = [...known, ...added];
    const compare = comparison(this.#ranking);
    const ranked = compare === undefined || known.length === 0 ? all : all.toSorted(compare);
    const points = new Map<string, Scored>();
    for (const hit of ranked) {
      if (points.size >= this.#size) break;
      const name = keyOf(hit.id);
      if (!points.has(name)) points.set(name, hit);
    }
    return [...points.values()];
  }

  #valuesOf({ id, payload }: Hit): readonly GroupId[] {
    if (payload === undefined) return [];
    const path = this.#path;
    const found = resolvePath(path, payload).flatMap((value) => (isJsonArray(value) ? resolvePath(elementsOf(path), payload) : [value]));
    const values = found.filter(isGroupId);
    // A value of another kind than those of a list is never in it.
    if (values.length < found.length || new Set(values.map(kindOf)).size > 1) this.#unlisted.push(id);
    return [...new Set(values)];
  }
}

function comparison(ranking: Ranking): ((a: Scored | undefined, b: Scored | undefined) => number) | undefined {
  if (ranking === 'as they come') return undefined;
  const sign = ranking === 'largest first' ? -1 : 1;
  return (a, b) => sign * ((a?.score ?? 0) - (b?.score ?? 0));
}

function nameOf(value: GroupId): string {
  return `${kindOf(value)} ${value}`;
}

function kindOf(value: GroupId): 'word' | 'number' {
  return typeof value === 'string' ? 'word' : 'number';
}

function isGroupId(value: JsonValue): value is GroupId {
  return typeof value === 'string' || typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
}
