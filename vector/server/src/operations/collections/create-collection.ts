import { ServiceError } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';

export const createCollection = operation('create_collection', async ({ engine }, { params, body }) => {
  const { vectors } = body;
  if (vectors === undefined || vectors === null) throw new ServiceError('vectors_config_required');
  return engine.createCollection(params.collection_name, { ...body, vectors });
});
