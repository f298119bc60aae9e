// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';

export const deleteFieldIndex = operation('delete_field_index', ({ engine }, { params }) =>
  engine.deleteFieldIndex(params.collection_name, params.field_name),
);
