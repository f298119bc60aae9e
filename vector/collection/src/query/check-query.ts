// SPDX-License-Identifier: Apache-2.0
/** What the shape of a query cannot say by itself: which of its parts go together. Throws `invalid_request` with the place. */
import { type Prefetch, type Query, type QueryRequest, ServiceError } from '@sextant/contracts-vector';

/** Prefetches of one query, at any depth, and points that they may bring together: a thread holds them all at a time. */
const PREFETCHES_MAX = 100;
export const PREFETCHED_MAX = 1_000_000;
/** Similarities that a choice of diverse points computes in one piece: some tenths of a second. */
const MMR_PAIRS_MAX = 500_000;

export function checkQuery(request: QueryRequest): void {
  if (request.prefetch.length > 0 && request.query === undefined) {
    throw refused("A query is needed to merge the prefetches. Can't have prefetches without defining a query.");
  }
  checkNode(request, '');
  const prefetches = allPrefetches(request);
  if (prefetches.length > PREFETCHES_MAX) throw refused(`prefetch: expected at most ${PREFETCHES_MAX} in all, got ${prefetches.length}`);
  const points = prefetchedOf(request) + prefetches.length * request.offset;
  const counted = request.offset === 0 ? '' : ', each with the offset';
  if (points > PREFETCHED_MAX) throw refused(`prefetch: expected limits of at most ${PREFETCHED_MAX} in all${counted}, got ${points}`);
  for (const node of [request, ...prefetches]) checkDiversity(node, request.offset + node.limit);
}

/** Points that the prefetches of a query may bring together. */
export function prefetchedOf(request: Prefetch): number {
  return allPrefetches(request).reduce((sum, { limit }) => sum + limit, 0);
}

/** Points that may be asked for where they are chosen for their diversity. */
export function diverseMax({ query }: Prefetch): number {
  if (query?.kind !== 'nearest' || query.mmr === undefined) return Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(Math.sqrt(MMR_PAIRS_MAX), MMR_PAIRS_MAX / Math.max(1, query.mmr.candidates_limit ?? 0)));
}

function allPrefetches({ prefetch }: Prefetch): readonly Prefetch[] {
  return prefetch.flatMap((inner) => [inner, ...allPrefetches(inner)]);
}

/** @param wanted points that the node is asked for */
function checkDiversity({ query }: Prefetch, wanted: number): void {
  if (query?.kind !== 'nearest' || query.mmr === undefined) return;
  const pairs = wanted * Math.max(wanted, query.mmr.candidates_limit ?? 0);
  if (pairs <= MMR_PAIRS_MAX) return;
  throw refused(
    `query.mmr: limit times candidates_limit may be at most ${MMR_PAIRS_MAX}, got ${pairs}; ask for fewer points or among fewer`,
  );
}

function checkNode(node: Prefetch, place: string): void {
  const { prefetch, query, using, score_threshold: threshold } = node;
  if (prefetch.length > 0 && query === undefined) throw refused(`${place}cannot have prefetches without a query`);
  if (query === undefined || query.kind === 'order_by' || query.kind === 'sample') {
    if (threshold != null)
      throw refused(`${place}score_threshold needs a query that gives scores: a vector, examples, a fusion or a formula`);
  }
  if (query !== undefined) checkKind(query, node, place);
  if (using !== undefined && (query?.kind === 'rrf' || query?.kind === 'dbsf')) {
    throw refused(`${place}using: a fusion works on scores, not on a vector; leave it out`);
  }
  for (const [position, inner] of prefetch.entries()) checkNode(inner, `${place}prefetch[${position}].`);
}

function checkKind(query: Query, { prefetch }: Prefetch, place: string): void {
  switch (query.kind) {
    case 'rrf':
    case 'dbsf':
      if (prefetch.length === 0) throw refused(`${place}query: cannot apply Fusion without prefetches`);
      if (query.kind === 'rrf' && query.weights !== undefined && query.weights.length !== prefetch.length) {
        throw refused(`${place}query.rrf.weights: expected one for each of the ${prefetch.length} prefetches, got ${query.weights.length}`);
      }
      return;
    case 'formula':
      if (prefetch.length === 0) throw refused(`${place}query: cannot apply Formula without prefetches`);
      return;
    case 'recommend':
      if (query.positive.length === 0 && query.strategy === 'average_vector') {
        throw refused(`${place}query.recommend.positive: at least one positive example is required by average_vector`);
      }
      if (query.positive.length + query.negative.length === 0) throw refused(`${place}query.recommend: at least one example is required`);
      return;
    default:
      return;
  }
}

function refused(reason: string): ServiceError {
  return new ServiceError('invalid_request', { reason });
}
