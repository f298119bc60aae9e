// SPDX-License-Identifier: Apache-2.0
/** Points on their way through a query: who they are and how good, without payloads and vectors. */
import type { Filter, PointId, PointRecord, ScoredPoint } from '@sextant/contracts-vector';

export type Scored = Pick<ScoredPoint, 'id' | 'score' | 'version' | 'order_value'>;

/** Tells ids apart: a UUID is never made of digits alone. */
export function keyOf(id: PointId): string {
  return String(id);
}

/** A point that was not found by a score has 1, as in the published API. */
export function unscored({ id, order_value: order }: PointRecord): Scored {
  return { id, score: 1, version: 0, ...(order === undefined ? {} : { order_value: order }) };
}

/** Each id once, in the order in which they are met. */
export function distinctIds(lists: readonly (readonly Scored[])[]): readonly PointId[] {
  return [...new Map(lists.flat().map(({ id }) => [keyOf(id), id])).values()];
}

/** All of the filters at once. */
export function allOf(filters: readonly (Filter | null | undefined)[]): Filter | null {
  const given = filters.filter((filter) => filter != null);
  return given.length > 1 ? { must: given } : (given[0] ?? null);
}

export function among(ids: readonly PointId[]): Filter {
  return { must: [{ has_id: ids }] };
}

export function except(ids: readonly PointId[]): Filter | null {
  return ids.length === 0 ? null : { must_not: [{ has_id: ids }] };
}
