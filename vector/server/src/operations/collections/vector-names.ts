// SPDX-License-Identifier: Apache-2.0
import { sparseNameSchema, validate } from '@sextant/contracts-vector/schemas';
import { operation } from '../operation.ts';

export const createVector = operation('create_vector', async ({ engine }, { params, body }) => {
  const { collection_name: collection, vector_name: name } = params;
  if ('dense' in body) return engine.createVector(collection, name, body);
  validate(sparseNameSchema, name, 'vector_name');
  const { datatype, ...sparse } = body.sparse;
  // Where the description of a collection has it.
  return engine.createVector(collection, name, { sparse: datatype == null ? sparse : { ...sparse, index: { ...sparse.index, datatype } } });
});

export const deleteVector = operation('delete_vector', ({ engine }, { params }) =>
  engine.deleteVector(params.collection_name, params.vector_name),
);
