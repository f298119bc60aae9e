// SPDX-License-Identifier: Apache-2.0
/** How a collection is. */
import { operation } from '../operation.ts';

export const collectionStatus = operation('collection_status', async ({ engine, threads }, { params }) => ({
  ...(await engine.collectionStatus(params.collection_name)),
  ...(threads === undefined ? {} : { threads }),
}));

export const optimizations = operation('optimizations', ({ engine }, { params, query }) => {
  const wanted = new Set(query.with?.split(','));
  const { completed_limit: limit } = query;
  return engine.optimizations(params.collection_name, {
    queued: wanted.has('queued'),
    completed: wanted.has('completed'),
    idleSegments: wanted.has('idle_segments'),
    ...(limit === undefined ? {} : { completedLimit: Number(limit) }),
  });
});
