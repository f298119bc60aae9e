// SPDX-License-Identifier: Apache-2.0
import { scopeOf } from '../collection-scope.ts';
import { operation } from '../operation.ts';

export const listCollections = operation('list_collections', async ({ engine }, { principal }) => {
  const scope = scopeOf(principal);
  const names = await engine.listCollections();
  return { collections: names.filter((name) => scope?.has(name) !== false).map((name) => ({ name })) };
});
