// SPDX-License-Identifier: Apache-2.0
/** One step of a query, and what steps of several kinds have in common. */
import type { Filter, PointId, Prefetch, Query } from '@sextant/contracts-vector';
import type { PointReads } from '../model/requests.ts';
import { type Examples, type ExampleVector, openExamples } from './examples.ts';
import { allOf, except, type Scored } from './scored.ts';

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
