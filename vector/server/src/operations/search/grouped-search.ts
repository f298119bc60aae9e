// SPDX-License-Identifier: Apache-2.0
/** The hits of a search, a query or a recommendation by the value of a payload key. */
import type { PointGroup, RawGroupedQuery } from '@sextant/contracts-vector';
import { stringifyJson } from '@sextant/foundation-std';
import type { EngineReads, Hit } from '@sextant/vector-collection';
import { JsonText } from '../json-text.ts';
import { operation } from '../operation.ts';
import { boundAnswer } from '../points/answer-size.ts';
import { hitsText } from '../points/hits-text.ts';
import { presentRecord, shown } from '../points/present.ts';
import { queryRequest } from './query-request.ts';
import { recommendation } from './recommend-points.ts';
import { vectorAndName } from './search-points.ts';

/** The published default. */
const GROUP_SIZE = 3;

export const searchGroups = operation('search_groups', ({ engine }, { params, body }) => {
  const { vector, ...rest } = body;
  const { vector: query, using } = vectorAndName(vector);
  return grouped(engine, params.collection_name, { ...rest, query, using: using ?? null });
});

export const queryGroups = operation('query_groups', ({ engine }, { params, body }) => grouped(engine, params.collection_name, body));

export const recommendGroups = operation('recommend_groups', ({ engine }, { params, body }) => {
  return grouped(engine, params.collection_name, recommendation(body));
});

async function grouped(engine: EngineReads, collection: string, body: RawGroupedQuery) {
  const { group_by, group_size, with_lookup, ...query } = body;
  const { answer, offset: _, ...request } = queryRequest(query);
  const size = group_size ?? GROUP_SIZE;
  await boundAnswer(engine, collection, [{ ...answer, limit: answer.limit * size }]);
  const lookup = typeof with_lookup === 'string' ? { collection: with_lookup } : with_lookup;
  const groups = await engine.queryGroups(collection, {
    ...request,
    group_by,
    group_size: size,
    ...(lookup == null ? {} : { with_lookup: { collection: lookup.collection, ...shown(lookup, { payload: true }) } }),
  });
  return { groups: new JsonText(`[${(await Promise.all(groups.map(groupText))).join(',')}]`) };
}

async function groupText({ id, hits, lookup }: PointGroup<Hit>): Promise<string> {
  const found = lookup === undefined ? '' : `,"lookup":${stringifyJson(presentRecord(lookup))}`;
  return `{"id":${stringifyJson(id)},"hits":${(await hitsText(hits)).text}${found}}`;
}
