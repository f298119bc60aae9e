// SPDX-License-Identifier: Apache-2.0
/** How near points of a sample are to each other: exactly, and the same for every kind of vector that can be searched. */
import { type NearestRequest, ServiceError } from '@sextant/contracts-vector';
import type { Hit, NeighboursRequest } from '../model/requests.ts';
import { nearest } from './nearest.ts';
import type { CollectionView } from './view/collection-view.ts';

export function neighboursAmong(view: CollectionView, request: NeighboursRequest): Promise<readonly Hit[]> {
  return neighboursFrom((asked) => nearest(view, asked), request);
}

export async function neighboursFrom(
  ask: (request: NearestRequest) => Promise<readonly Hit[]>,
  { id, among, using, limit }: NeighboursRequest,
): Promise<readonly Hit[]> {
  const space = using === undefined ? {} : { using };
  try {
    return await ask({ vector: { id }, ...space, filter: { must: { has_id: among } }, params: { exact: true }, limit });
  } catch (error) {
    if (error instanceof ServiceError && GONE.has(error.code)) return [];
    throw error;
  }
}

/** How `nearest` refuses a point that has been deleted since it was drawn, and one that has lost the vector. */
const GONE: ReadonlySet<string> = new Set(['point_not_found', 'invalid_request']);
