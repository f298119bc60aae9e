// SPDX-License-Identifier: Apache-2.0
/** What may stand in paths. */
import Type, { type TSchema } from 'typebox';
import { collectionNameSchema } from '../collection-schemas.ts';
import { pointIdSchema } from '../point-id.ts';
import { sparseNameSchema } from '../point-schemas.ts';

export const pathParameterSchemas: { readonly [name: string]: TSchema } = {
  collection_name: collectionNameSchema,
  // The unnamed vector has no path.
  vector_name: sparseNameSchema,
  id: pointIdSchema,
  peer_id: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  token_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
};
