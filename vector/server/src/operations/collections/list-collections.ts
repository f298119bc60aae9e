import { operation } from '../operation.ts';

export const listCollections = operation('list_collections', async ({ engine }) => {
  const names = await engine.listCollections();
  return { collections: names.map((name) => ({ name })) };
});
