// SPDX-License-Identifier: Apache-2.0
/**
 * Points by their similarity to several examples at once, for which there is no single place in the graph to walk to. Of few points each is
 * scored; of many, those that are nearest to any of the examples that a good point is near to.
 */
import type { Filter, NamedVectorOutput, PointId, SearchParams } from '@sextant/contracts-vector';
import type { PointReads } from '../model/requests.ts';
import { type ExampleVector, vectorNamed } from './examples.ts';
import { allOf, among, keyOf, type Scored } from './scored.ts';

/** Up to so many points are scored one by one: about as long as a walk to a few examples takes. */
const SCORED_MAX = 10_000;
/** Of more points, each example brings this many for each that is wanted, and at least `CANDIDATES_MIN`. */
const CANDIDATES_PER_HIT = 8;
const CANDIDATES_MIN = 256;
/** Points that are scored in one piece, at most. */
const PAGE = 100;

export type ExampleSearch = {
  readonly using: string;
  readonly filter: Filter | null;
  readonly params: SearchParams | null | undefined;
  readonly count: number;
  /** Examples that good points are near to. */
  readonly anchors: readonly ExampleVector[];
  /** Points that may be scored in one piece. */
  readonly scoredAtOnce: number;
  /** Larger is better. */
  readonly score: (vector: NamedVectorOutput) => number;
};

export async function searchByExamples(reads: PointReads, collection: string, search: ExampleSearch): Promise<readonly Scored[]> {
  const { filter, params, anchors } = search;
  const isExact = params?.exact === true || anchors.length === 0;
  const points = isExact ? 0 : await reads.count(collection, { filter });
  return scoreAll(
    reads,
    collection,
    isExact || points <= SCORED_MAX ? search : { ...search, filter: await nearAnchors(reads, collection, search) },
  );
}

async function nearAnchors(
  reads: PointReads,
  collection: string,
  { using, filter, params, count, anchors }: ExampleSearch,
): Promise<Filter | null> {
  const limit = Math.max(CANDIDATES_MIN, CANDIDATES_PER_HIT * count);
  const near = new Map<string, PointId>();
  for (const vector of anchors) {
    const hits = await reads.nearest(collection, { vector, using, filter, params: params ?? null, limit });
    for (const { id } of hits) near.set(keyOf(id), id);
  }
  return allOf([filter, among([...near.values()])]);
}

/** Page by page, keeping the best so far, so that memory is bounded by what is wanted. */
async function scoreAll(
  reads: PointReads,
  collection: string,
  { using, filter, count, scoredAtOnce, score }: ExampleSearch,
): Promise<readonly Scored[]> {
  let best: Scored[] = [];
  for (let offset: PointId | null = null; ; ) {
    const page: Awaited<ReturnType<PointReads['scroll']>> = await reads.scroll(collection, {
      filter,
      offset,
      limit: Math.max(1, Math.min(PAGE, scoredAtOnce)),
      with_payload: false,
      with_vector: [using],
      withVersion: true,
    });
    for (const { id, vector, version = 0 } of page.points) {
      const values = vectorNamed(vector, using);
      if (values !== undefined) best.push({ id, score: Math.fround(score(values)), version });
    }
    best = best.toSorted((a, b) => b.score - a.score).slice(0, count);
    if (page.next_page_offset === null) return best;
    offset = page.next_page_offset;
  }
}
