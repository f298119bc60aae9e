// SPDX-License-Identifier: Apache-2.0
/** Schemas of aliases. */
import { type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { collectionNameSchema } from './collection-schemas.ts';

const ACTIONS_MAX = 1000;

const aliasActionSchema = Type.Union(
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
);
/** One step of a change of aliases; the steps of a request are done in order, all or none. */
export type AliasAction = Static<typeof aliasActionSchema>;

export const changeAliasesSchema = strict(
  { actions: Type.Array(aliasActionSchema, { maxItems: ACTIONS_MAX }) },
  { title: 'ChangeAliases' },
);

const aliasSchema = Type.Object({ alias_name: Type.String(), collection_name: Type.String() }, { title: 'Alias' });
export type Alias = Static<typeof aliasSchema>;

export const aliasListSchema = Type.Object(
  {
    aliases: Type.Array(aliasSchema),
  },
  { title: 'AliasList' },
);
