// SPDX-License-Identifier: Apache-2.0
/** Points on their way through a query: who they are and how good, without payloads and vectors; and what its steps have in common. */
import type { Filter, PointId, PointRecord, Prefetch, Query, ScoredPoint } from '@sextant/contracts-vector';
import type { PointReads } from '../model/requests.ts';
import { type Examples, type ExampleVector, openExamples } from './examples.ts';

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

export type Run = { readonly reads: PointReads; readonly collection: string };
/** What is asked of the points that pass the filter. */
export type Step = { readonly node: Prefetch; readonly filter: Filter | null; readonly count: number; readonly exact: boolean };
export type KindOf<Kind extends Query['kind']> = Extract<Query, { readonly kind: Kind }>;

export function nearestTo(
  { reads, collection }: Run,
  { node, filter, count, exact }: Step,
  vector: ExampleVector,
  excluded: readonly PointId[],
) {
  return reads.nearest(collection, {
    vector,
    ...(node.using === undefined ? {} : { using: node.using }),
    filter: allOf([filter, except(excluded)]),
    params: { ...node.params, exact },
    limit: count,
    score_threshold: node.score_threshold ?? null,
  });
}

export function examplesOf({ reads, collection }: Run, { using, lookup_from: lookupFrom, params }: Prefetch): Promise<Examples> {
  return openExamples(reads, collection, { using, lookupFrom, params });
}

export function vectorsOf(examples: Examples, of: Parameters<Examples['idsIn']>[0]): Promise<readonly ExampleVector[]> {
  return Promise.all(of.map((example) => examples.vectorOf(example)));
}

/** Scores of fusions, formulas and examples are better the larger they are, and a threshold is strict. */
export function passing({ score_threshold: threshold }: Prefetch, points: readonly Scored[]): readonly Scored[] {
  return threshold == null ? points : points.filter(({ score }) => score > threshold);
}
