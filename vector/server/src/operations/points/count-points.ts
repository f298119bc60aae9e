// SPDX-License-Identifier: Apache-2.0
import { operation } from '../operation.ts';
import { optionalFilter } from './normalise-filter.ts';

export const countPoints = operation('count_points', async ({ engine }, { params, body = {} }) => ({
  count: await engine.count(params.collection_name, {
    exact: body.exact ?? true,
    ...optionalFilter(body.filter),
    shard_key: body.shard_key ?? null,
  }),
}));
