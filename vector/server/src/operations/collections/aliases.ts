/** Further names of collections. */
import { operation } from '../operation.ts';

export const listAliases = operation('list_aliases', async ({ engine }) => ({ aliases: await engine.listAliases() }));

export const listCollectionAliases = operation('list_collection_aliases', async ({ engine }, { params }) => ({
  aliases: await engine.listAliases(params.collection_name),
}));

export const changeAliases = operation('change_aliases', ({ engine }, { body }) => engine.changeAliases(body.actions));

export const updateAliases = operation('update_aliases', ({ engine }, { body }) => engine.changeAliases(body.actions));
