// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';

export const updateCollection = operation('update_collection', ({ engine }, { params, body }) =>
  engine.updateCollection(params.collection_name, body),
);
