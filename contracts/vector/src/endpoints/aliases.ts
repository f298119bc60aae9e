// SPDX-License-Identifier: Apache-2.0
/** Aliases, which are off until an operator switches them on. */
import Type from 'typebox';
import { aliasListSchema, changeAliasesSchema } from '../alias-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { OF_COLLECTIONS } from './possible-errors.ts';
import { collectionQuery, noQuery } from './query-strings.ts';

const shared = { tag: 'Aliases', capability: 'aliases', envelope: 'result', failure: 'internal', refusal: 'envelope' } as const;
const read = { ...shared, method: 'GET', needs: 'read', thread: 'serving', query: noQuery, result: aliasListSchema } as const;
const change = {
  ...shared,
  method: 'POST',
  needs: 'write',
  thread: 'writer',
  summary: 'Create, delete and rename aliases: all of the actions in order, or none',
  query: collectionQuery,
  body: changeAliasesSchema,
  result: Type.Boolean(),
  errors: ['collection_not_found', 'alias_not_found', 'collection_exists'],
} as const;

export const aliasEndpoints = {
  list_aliases: { ...read, path: '/aliases', summary: 'List the aliases of all collections' },
  list_collection_aliases: {
    ...read,
    path: '/collections/{collection_name}/aliases',
    summary: 'List the aliases of a collection',
    errors: OF_COLLECTIONS,
  },
  change_aliases: { ...change, path: '/collections/aliases' },
  /** The path of the specification. */
  update_aliases: { ...change, path: '/aliases' },
} as const satisfies Record<string, Endpoint>;
