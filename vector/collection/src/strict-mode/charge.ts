// SPDX-License-Identifier: Apache-2.0
/**
 * How many tokens a request takes from its rate. Points and conditions are charged as the published service does
 * (https://github.com/qdrant/qdrant, `lib/collection/src/operations/verification/operation_rate_cost.rs`): a read takes a token for each point by
 * id or each vector of its query, a write one for each point that it may change, and both one more for each condition of their filters.
 */
import type { Demand, DemandPart } from './demand.ts';
import { conditionsOf } from './filter-conditions.ts';

/** @param matching the number of points that a part's filter matches; asked of writes by filter alone */
export function tokensOf({ parts }: Demand, matching: (part: DemandPart) => number): number {
  return parts.reduce((sum, part) => sum + tokensOfPart(part, matching), 0);
}

function tokensOfPart(part: DemandPart, matching: (part: DemandPart) => number): number {
  const { charge, filter, filtersAround = [] } = part;
  const points = charge === 'matching points' ? matching(part) : charge;
  // What is only fused from prefetches evaluates no filter itself.
  if (points === 0 && charge !== 'matching points') return 0;
  const filters = filter == null ? filtersAround : [filter, ...filtersAround];
  return points + filters.reduce((sum, each) => sum + conditionsOf(each).reduce((count) => count + 1, 0), 0);
}
