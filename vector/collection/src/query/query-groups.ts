/**
 * Hits by the value that they have at a payload key. The best hit of a group gives it its place. As many hits are asked for as would fill the
 * groups if they were even; while some are not full, more are, without those of groups that are.
 */
import { type Condition, type Filter, type PointGroup, type PointId, type PointRecord, parsePointId } from '@sextant/contracts-vector';
import type { JsonValue } from '@sextant/foundation-std';
import type { EngineReads, GroupsRequest, Hit } from '../engine.ts';
import { elementsOf, isJsonArray, parseJsonPath, resolvePath } from '../payload/json-path.ts';
import { runQuery } from './run-query.ts';
import { allOf, keyOf, type Scored } from './scored.ts';

/** Requests for more, each for twice as many hits. */
const ROUNDS_MAX = 6;
const HITS_MAX = 100_000;

type GroupId = string | number | bigint;
type OpenGroup = { readonly id: GroupId; readonly hits: Map<string, Scored> };

export async function queryGroups(reads: EngineReads, collection: string, request: GroupsRequest): Promise<readonly PointGroup<Hit>[]> {
  const { group_by: key, group_size: size, limit, with_lookup: lookup, with_payload, with_vector, ...query } = request;
  const groups = new Map<string, OpenGroup>();
  let wanted = Math.min(HITS_MAX, limit * size);
  for (let round = 0; round < ROUNDS_MAX; round++, wanted = Math.min(HITS_MAX, 2 * wanted)) {
    const filter = allOf([query.filter, { must_not: [{ is_empty: { key } }] }, withoutFull(key, groups, size)]);
    const hits = await runQuery(reads, collection, { ...query, filter, limit: wanted, offset: 0, with_payload: [key], with_vector: false });
    for (const hit of hits) place(groups, hit, valuesOf(hit, key), size);
    const isFull = groups.size >= limit && best(groups, limit).every((group) => group.hits.size >= size);
    if (isFull || hits.length < wanted) break;
  }
  const chosen = best(groups, limit);
  const points = await recordsOf(
    reads,
    collection,
    chosen.flatMap(({ hits }) => [...hits.values()].map(({ id }) => id)),
    { with_payload, with_vector },
  );
  const looked =
    lookup === undefined
      ? undefined
      : await recordsOf(
          reads,
          lookup.collection,
          chosen.flatMap(({ id }) => pointIdOf(id) ?? []),
          lookup,
        );
  return chosen.map(({ id, hits }) => {
    const found = looked?.get(String(id));
    return {
      id,
      hits: [...hits.values()].flatMap((hit) => ({ ...points.get(keyOf(hit.id)), ...hit })),
      ...(found === undefined ? {} : { lookup: found }),
    };
  });
}

/** In the order in which their first hits came, which is that of their scores. */
function best(groups: ReadonlyMap<string, OpenGroup>, limit: number): readonly OpenGroup[] {
  return [...groups.values()].slice(0, limit);
}

function place(
  groups: Map<string, OpenGroup>,
  { id, score, version, order_value: order }: Hit,
  values: readonly GroupId[],
  size: number,
): void {
  for (const value of values) {
    const name = `${typeof value === 'string' ? 's' : 'n'}${value}`;
    const group = groups.get(name) ?? { id: value, hits: new Map<string, Scored>() };
    groups.set(name, group);
    if (group.hits.size < size) group.hits.set(keyOf(id), { id, score, version, ...(order === undefined ? {} : { order_value: order }) });
  }
}

/** Points whose groups are all full bring nothing new. */
function withoutFull(key: string, groups: ReadonlyMap<string, OpenGroup>, size: number): Filter | null {
  const full = [...groups.values()].filter(({ hits }) => hits.size >= size).map(({ id }) => id);
  const words = full.filter((id) => typeof id === 'string');
  const numbers = full.filter((id) => typeof id !== 'string');
  // A point passes where one of its values is not in the list.
  const open = [words, numbers]
    .filter((list) => list.length > 0)
    .map((list): Condition => ({ key, match: { except: list as readonly string[] } }));
  return open.length === 0 ? null : { must: open };
}

function valuesOf({ payload }: Hit, key: string): readonly GroupId[] {
  if (payload === undefined) return [];
  const path = parseJsonPath(key);
  const found = resolvePath(path, payload).flatMap((value) => (isJsonArray(value) ? resolvePath(elementsOf(path), payload) : [value]));
  return [...new Set(found.filter(isGroupId))];
}

function isGroupId(value: JsonValue): value is GroupId {
  return typeof value === 'string' || typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** Undefined where a group's value cannot be the id of a point. */
function pointIdOf(value: GroupId): PointId | undefined {
  const id = parsePointId(String(value));
  return typeof id === 'string' || typeof value !== 'string' ? id : undefined;
}

async function recordsOf(
  reads: EngineReads,
  collection: string,
  ids: readonly PointId[],
  shape: Pick<GroupsRequest, 'with_payload' | 'with_vector'>,
): Promise<ReadonlyMap<string, PointRecord>> {
  if (ids.length === 0) return new Map();
  const records = await reads.retrieve(collection, { ids, ...shape });
  return new Map(records.map((record) => [keyOf(record.id), record]));
}
