// SPDX-License-Identifier: Apache-2.0
/** Further names of collections. */
import { scopeOf } from '../collection-scope.ts';
import { operation } from '../operation.ts';

export const listAliases = operation('list_aliases', async ({ engine }, { principal }) => {
  const scope = scopeOf(principal);
  const aliases = await engine.listAliases();
  return {
    aliases: aliases.filter(({ collection_name: name, alias_name: alias }) => scope === undefined || scope.has(name) || scope.has(alias)),
  };
});

export const listCollectionAliases = operation('list_collection_aliases', async ({ engine }, { params }) => ({
  aliases: await engine.listAliases(params.collection_name),
}));

export const changeAliases = operation('change_aliases', ({ engine }, { body }) => engine.changeAliases(body.actions));

export const updateAliases = operation('update_aliases', ({ engine }, { body }) => engine.changeAliases(body.actions));
