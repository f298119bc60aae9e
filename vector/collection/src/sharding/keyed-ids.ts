// SPDX-License-Identifier: Apache-2.0
/**
 * Who a point is where keys divide a collection: its id is its own within its key only. The steps of a query know points by their ids, so there each has an id
 * that says the key as well; it never leaves the query. An id without a key, as a caller gives it, stands for the points of all keys that have it.
 */
import { type Condition, type Filter, type PointId, parsePointId, type ShardKey } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { conditionsIn, listOf } from '../filter/conditions.ts';
import type { KeyedPoint } from './key-scope.ts';
import type { Shard } from './shard.ts';

/** No id has this character. */
const SEPARATOR = '\u001f';

/** How the points of a read are called. */
export type IdForm = {
  /** What an id of a request means in a shard; undefined where it is another's. */
  readonly idIn: (id: PointId, shard: Shard) => PointId | undefined;
  /** The request as a shard understands it, the same object for all where it means the same in all. */
  readonly asked: <Request extends { readonly filter?: Filter | null }>(request: Request) => (shard: Shard) => Request;
  /** A point that a shard has answered. */
  readonly named: <Point extends KeyedPoint>(point: Point) => Point;
};

/** Ids as callers know them. */
export const PLAIN_IDS: IdForm = {
  idIn: (id) => id,
  asked: (request) => () => request,
  named: (point) => point,
};

/** @param keys those that a query is about; their places stand in the ids */
export function idsUnder(keys: readonly ShardKey[]): IdForm & { readonly plain: <Point extends KeyedPoint>(point: Point) => Point } {
  const placeOf = ({ place }: Shard) => (place?.key === undefined ? -1 : keys.indexOf(place.key));
  return {
    idIn: (id, shard) => idAt(id, placeOf(shard)),
    asked: (request) => {
      const { filter } = request;
      if (filter == null || !isKeyed(filter)) return () => request;
      const byPlace = new Map<number, typeof request>();
      return (shard) => {
        const place = placeOf(shard);
        const asked = byPlace.get(place) ?? { ...request, filter: filterAt(filter, place) };
        byPlace.set(place, asked);
        return asked;
      };
    },
    named: (point) => {
      const place = point.shard_key === undefined ? -1 : keys.indexOf(point.shard_key);
      return place === -1 ? point : { ...point, id: `${point.id}${SEPARATOR}${place}` };
    },
    plain: (point) => {
      const keyed = keyedId(point.id);
      if (keyed === undefined) return point;
      const key = keys[keyed.place];
      assert(key !== undefined, 'ids say keys of the query');
      return { ...point, id: keyed.id, shard_key: key };
    },
  };
}

function keyedId(id: PointId): { readonly id: PointId; readonly place: number } | undefined {
  if (typeof id !== 'string') return undefined;
  const end = id.indexOf(SEPARATOR);
  if (end === -1) return undefined;
  const plain = parsePointId(id.slice(0, end));
  assert(plain !== undefined, 'what stands before the key is an id');
  return { id: plain, place: Number(id.slice(end + 1)) };
}

function idAt(id: PointId, place: number): PointId | undefined {
  const keyed = keyedId(id);
  if (keyed === undefined) return id;
  return keyed.place === place ? keyed.id : undefined;
}

function isKeyed(filter: Filter): boolean {
  return conditionsIn(filter).some((condition) =>
    'has_id' in condition ? condition.has_id.some((id) => keyedId(id) !== undefined) : isFilter(condition) && isKeyed(condition),
  );
}

function filterAt(filter: Filter, place: number): Filter {
  const { must, should, must_not, min_should } = filter;
  const at = (conditions: Condition | readonly Condition[]) => listOf(conditions).map((condition) => conditionAt(condition, place));
  return {
    ...filter,
    ...(must == null ? {} : { must: at(must) }),
    ...(should == null ? {} : { should: at(should) }),
    ...(must_not == null ? {} : { must_not: at(must_not) }),
    ...(min_should == null ? {} : { min_should: { ...min_should, conditions: at(min_should.conditions) } }),
  };
}

function conditionAt(condition: Condition, place: number): Condition {
  if ('has_id' in condition) return { has_id: condition.has_id.flatMap((id) => idAt(id, place) ?? []) };
  return isFilter(condition) ? filterAt(condition, place) : condition;
}

/** What is nested is about elements of a payload, which have no ids. */
function isFilter(condition: Condition): condition is Filter {
  return ['must', 'should', 'must_not', 'min_should'].some((name) => name in condition);
}
