/** How a collection is. */
import { operation } from '../operation.ts';

export const collectionStatus = operation('collection_status', async ({ engine, threads }, { params }) => ({
  ...(await engine.collectionStatus(params.collection_name)),
  ...(threads === undefined ? {} : { threads }),
}));

export const optimizations = operation('optimizations', ({ engine }, { params }) => engine.optimizations(params.collection_name));
