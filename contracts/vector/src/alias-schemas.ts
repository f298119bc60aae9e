/** Schemas of aliases. */
import { schemaOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { Alias, AliasAction } from './aliases.ts';
import { collectionNameSchema } from './collection-schemas.ts';

const ACTIONS_MAX = 1000;

const aliasActionSchema = schemaOf<AliasAction>()(
  Type.Union(
    [
      strict(
        { create_alias: strict({ alias_name: collectionNameSchema, collection_name: collectionNameSchema }, { title: 'CreateAlias' }) },
        { title: 'CreateAliasAction' },
      ),
      strict({ delete_alias: strict({ alias_name: collectionNameSchema }, { title: 'DeleteAlias' }) }, { title: 'DeleteAliasAction' }),
      strict(
        { rename_alias: strict({ old_alias_name: collectionNameSchema, new_alias_name: collectionNameSchema }, { title: 'RenameAlias' }) },
        { title: 'RenameAliasAction' },
      ),
    ],
    { title: 'AliasAction' },
  ),
);

export const changeAliasesSchema = strict(
  { actions: Type.Array(aliasActionSchema, { maxItems: ACTIONS_MAX }) },
  { title: 'ChangeAliases' },
);

export const aliasListSchema = Type.Object(
  {
    aliases: Type.Array(schemaOf<Alias>()(Type.Object({ alias_name: Type.String(), collection_name: Type.String() }, { title: 'Alias' }))),
  },
  { title: 'AliasList' },
);
