// SPDX-License-Identifier: Apache-2.0
import { type CreateCollection, ServiceError } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';

export const createCollection = operation('create_collection', async ({ engine }, { params, body }) => {
  const vectors = body.vectors ?? (hasSparse(body) ? {} : undefined);
  if (vectors === undefined) throw new ServiceError('vectors_config_required');
  return engine.createCollection(params.collection_name, { ...body, vectors });
});

/** A collection may have sparse vectors alone. */
function hasSparse({ sparse_vectors: sparse }: Pick<CreateCollection, 'sparse_vectors'>): boolean {
  return Object.keys(sparse ?? {}).length > 0;
}
