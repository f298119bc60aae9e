// SPDX-License-Identifier: Apache-2.0
import { type CreateCollection, ServiceError } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';

export const createCollection = operation('create_collection', async ({ engine, cluster }, { params, body }) => {
  const vectors = body.vectors ?? (hasSparse(body) ? {} : undefined);
  if (vectors === undefined) throw new ServiceError('vectors_config_required');
  if (body.sharding_method === 'custom' && cluster?.canDivide !== true) throw new ServiceError('not_supported_yet', { feature: DIVIDING });
  return engine.createCollection(params.collection_name, { ...body, vectors });
});

const DIVIDING =
  'sharding_method: dividing a collection by keys outside of a cluster whose nodes share a SERVICE_CLUSTER_SECRET (write the key into the payload and filter by it)';

/** A collection may have sparse vectors alone. */
function hasSparse({ sparse_vectors: sparse }: Pick<CreateCollection, 'sparse_vectors'>): boolean {
  return Object.keys(sparse ?? {}).length > 0;
}
