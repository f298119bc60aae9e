// SPDX-License-Identifier: Apache-2.0
/** What an operator asks of a collection. */

import { orLater } from '../../snapshots/or-later.ts';
import { operation } from '../operation.ts';

export const flushCollection = operation('flush_collection', ({ engine }, { params }) => engine.flush(params.collection_name));

export const optimizeCollection = operation('optimize_collection', async ({ engine, log }, { params, query }) => {
  // A missing collection is reported also to callers who do not wait.
  await engine.collectionStatus(params.collection_name);
  return orLater(query, engine.optimize(params.collection_name), { later: true, log });
});

export const rebuildIndex = operation('rebuild_index', async ({ engine, log }, { params, query }) => {
  await engine.collectionStatus(params.collection_name);
  return orLater(query, engine.rebuildIndex(params.collection_name), { later: true, log });
});
