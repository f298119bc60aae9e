// SPDX-License-Identifier: Apache-2.0
/**
 * Grouped queries: the groups of the best hits, each with its best hits. First hits are asked for until there are enough groups; those that are
 * not full by then are asked for by their values. So a query that finds its hits exactly has exact groups, however its hits are spread.
 *
 * What prefetches bring depends on how much they are asked for, so a query with prefetches is evaluated whole each time, with their limits
 * multiplied by the size of the groups, as in the published API, and doubled while groups are not full.
 */
import { type Filter, type PointGroup, type PointId, type PointRecord, type Prefetch, parsePointId } from '@sextant/contracts-vector';
import type { GroupsRequest, Hit, PointReads } from '../model/requests.ts';
import { diverseMax, PREFETCHED_MAX, prefetchedOf } from './check-query.ts';
import { type GroupId, HitGroups } from './hit-groups.ts';
import { rankingOf, runQuery } from './run-query.ts';
import { allOf, keyOf } from './scored.ts';

/** Requests for more groups, or by wider prefetches, each for twice as many hits. */
const ROUNDS_MAX = 12;
/** Of one request, and groups that are known. */
const HITS_MAX = 100_000;
/** Points whose groups are read at a time. */
const PAGE = 256;

type Shape = Pick<GroupsRequest, 'with_payload' | 'with_vector'>;
/** Asks the query of a request for the best `count` among the points that pass one more filter. */
type Ask = (among: Filter | null, count: number) => Promise<readonly Hit[]>;

export async function queryGroups(reads: PointReads, collection: string, request: GroupsRequest): Promise<readonly PointGroup<Hit>[]> {
  const { limit, with_lookup: lookup, with_payload, with_vector } = request;
  const groups =
    request.prefetch.length > 0 ? await groupsOfPrefetched(reads, collection, request) : await groupsOfPoints(reads, collection, request);
  const chosen = groups.best(limit);
  const found = chosen.flatMap(({ hits }) => hits.map(({ id }) => id));
  const points = await recordsOf(reads, collection, found, { with_payload, with_vector });
  const named = chosen.flatMap(({ id }) => pointIdOf(id) ?? []);
  const looked = lookup === undefined ? undefined : await recordsOf(reads, lookup.collection, named, lookup);
  return chosen.map(({ id, hits }) => {
    const record = looked?.get(String(id));
    return {
      id,
      hits: hits.map((hit) => ({ ...points.get(keyOf(hit.id)), ...hit })),
      ...(record === undefined ? {} : { lookup: record }),
    };
  });
}

async function groupsOfPoints(reads: PointReads, collection: string, request: GroupsRequest): Promise<HitGroups> {
  const { group_by: key, group_size: size, with_lookup: _, ...query } = request;
  const { limit } = query;
  const groups = new HitGroups({ key, size, ranking: await rankingOf(reads, collection, query) });
  const hitsMax = Math.min(HITS_MAX, diverseMax(query));
  const shown = { offset: 0, with_payload: [key], with_vector: false };
  const ask: Ask = (among, count) => {
    const filter = allOf([query.filter, { must_not: [{ is_empty: { key } }] }, among]);
    return runQuery(reads, collection, { ...query, ...shown, filter, limit: count });
  };
  const sees = await findGroups(groups, ask, { limit, wanted: limit * size, hitsMax });
  if (sees !== 'all') await fillGroups(groups, ask, { limit, size, hitsMax });
  return groups;
}

/** @returns `all` where every point has come */
async function findGroups(
  groups: HitGroups,
  ask: Ask,
  { limit, wanted, hitsMax }: { readonly limit: number; readonly wanted: number; readonly hitsMax: number },
): Promise<'all' | 'some'> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const count = Math.min(hitsMax, wanted * 2 ** round);
    const hits = await ask(round === 0 ? null : outside(groups), count);
    groups.addUnknown(hits);
    if (hits.length < count) return round === 0 ? 'all' : 'some';
    if (groups.count >= limit || groups.count + groups.unlisted.length >= HITS_MAX) break;
  }
  return 'some';
}

/** Each answer that is as long as was asked fills a group at least: no more rounds than groups are needed. */
async function fillGroups(
  groups: HitGroups,
  ask: Ask,
  { limit, size, hitsMax }: { readonly limit: number; readonly size: number; readonly hitsMax: number },
): Promise<void> {
  const atOnce = Math.max(1, Math.floor(hitsMax / size));
  /** Groups that have no more points. */
  const whole = new Set<GroupId>();
  for (let round = 0; round < limit + ROUNDS_MAX; round++) {
    const open = groups
      .best(limit)
      .filter((group) => !groups.isFull(group) && !whole.has(group.id))
      .slice(0, atOnce);
    if (open.length === 0) return;
    const count = Math.min(hitsMax, open.length * size * 2 ** Math.min(round, ROUNDS_MAX));
    const hits = await ask({ should: groups.insideAny(open) }, count);
    groups.renew(open, hits);
    if (hits.length < count) for (const { id } of open) whole.add(id);
  }
}

async function groupsOfPrefetched(reads: PointReads, collection: string, request: GroupsRequest): Promise<HitGroups> {
  const { group_by: key, group_size: size, with_lookup: _, ...query } = request;
  const { limit } = query;
  const filter = allOf([query.filter, { must_not: [{ is_empty: { key } }] }]);
  const bare = { offset: 0, limit: Math.min(HITS_MAX, diverseMax(query)), with_payload: false, with_vector: false };
  const factorMax = Math.max(1, Math.floor(PREFETCHED_MAX / prefetchedOf(query)));
  let before = -1;
  for (let round = 0, factor = Math.min(factorMax, size); ; round++, factor = Math.min(factorMax, 2 * factor)) {
    const groups = new HitGroups({ key, size, ranking: 'as they come' });
    const scored = await runQuery(reads, collection, { ...query, ...bare, filter, prefetch: widened(query.prefetch, factor) });
    if (await readGroups(reads, collection, { groups, scored, key, limit })) return groups;
    if (scored.length <= before || factor === factorMax || round === ROUNDS_MAX) return groups;
    before = scored.length;
  }
}

/** Puts hits into groups by the payloads of their points. @returns whether enough groups are full */
async function readGroups(
  reads: PointReads,
  collection: string,
  { groups, scored, key, limit }: { groups: HitGroups; scored: readonly Hit[]; key: string; limit: number },
): Promise<boolean> {
  for (let from = 0; from < scored.length; from += PAGE) {
    const page = scored.slice(from, from + PAGE);
    const ids = page.map(({ id }) => id);
    const records = await recordsOf(reads, collection, ids, { with_payload: [key], with_vector: false });
    groups.add(page.map((hit) => ({ ...records.get(keyOf(hit.id)), ...hit })));
    const best = groups.best(limit);
    if (best.length >= limit && best.every((group) => groups.isFull(group))) return true;
  }
  return false;
}

function widened(prefetch: readonly Prefetch[], factor: number): readonly Prefetch[] {
  return prefetch.map((inner) => ({ ...inner, limit: inner.limit * factor, prefetch: widened(inner.prefetch, factor) }));
}

function outside(groups: HitGroups): Filter {
  const { unlisted } = groups;
  return { must: groups.outsideAll(), ...(unlisted.length === 0 ? {} : { must_not: [{ has_id: unlisted }] }) };
}

/** Undefined where a group's value cannot be the id of a point. */
function pointIdOf(value: GroupId): PointId | undefined {
  const id = parsePointId(String(value));
  return typeof id === 'string' || typeof value !== 'string' ? id : undefined;
}

/** Asks also where there are no ids, so that a collection that there is not is an error in any case. */
async function recordsOf(
  reads: PointReads,
  collection: string,
  ids: readonly PointId[],
  shape: Shape,
): Promise<ReadonlyMap<string, PointRecord>> {
  const records = await reads.retrieve(collection, { ids, ...shape });
  return new Map(records.map((record) => [keyOf(record.id), record]));
}
