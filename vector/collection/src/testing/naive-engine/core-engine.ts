// SPDX-License-Identifier: Apache-2.0
import type { Engine } from '../../engine.ts';

/** The part of an engine that `engine.conformance.ts` asks for, and that the naive one has. */
export type CoreEngine = Pick<
  Engine,
  | 'createCollection'
  | 'updateCollection'
  | 'deleteCollection'
  | 'listCollections'
  | 'collectionExists'
  | 'collectionInfo'
  | 'upsert'
  | 'deletePoints'
  | 'updateVectors'
  | 'deleteVectors'
  | 'setPayload'
  | 'overwritePayload'
  | 'deletePayload'
  | 'clearPayload'
  | 'createFieldIndex'
  | 'deleteFieldIndex'
  | 'retrieve'
  | 'scroll'
  | 'count'
  | 'facet'
  | 'nearest'
  | 'sample'
>;
