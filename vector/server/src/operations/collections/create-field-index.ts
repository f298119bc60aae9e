// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';

export const createFieldIndex = operation('create_field_index', ({ engine }, { params, body }) => {
  const { field_name: field, field_schema: schema } = body;
  return engine.createFieldIndex(params.collection_name, field, typeof schema === 'string' ? { type: schema } : schema);
});
