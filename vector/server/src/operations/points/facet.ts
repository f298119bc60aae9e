// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';
import { optionalFilter } from './normalise-filter.ts';

/** The published default. */
const LIMIT = 10;

export const facet = operation('facet', async ({ engine }, { params, body }) => {
  const { key, limit, exact, filter, shard_key } = body;
  return {
    hits: await engine.facet(params.collection_name, {
      key,
      limit: limit ?? LIMIT,
      exact: exact ?? false,
      ...optionalFilter(filter),
      shard_key: shard_key ?? null,
    }),
  };
});
