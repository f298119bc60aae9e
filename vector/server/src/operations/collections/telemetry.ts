import { PRODUCT } from '../../product.ts';
import { operation } from '../operation.ts';

export const telemetry = operation('telemetry', async ({ engine }) => {
  const collections = await engine.listCollections();
  return { app: { name: PRODUCT.name, version: PRODUCT.version }, collections: { number_of_collections: collections.length } };
});
