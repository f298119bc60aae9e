// SPDX-License-Identifier: Apache-2.0
/** From the body of a query, with its shorthands and defaults, to what the engine is asked. */
import {
  type BodyOf,
  type ContextPair,
  normalisePointId,
  type Prefetch,
  type Query,
  type QueryRequest,
  type QueryVector,
  type RawContextPair,
  type RawExample,
  type RawPrefetch,
  type RawQuery,
  type RawQueryRequest,
} from '@sextant/contracts-vector';
import type { PayloadForm } from '@sextant/vector-collection';
import type { AnswerPart } from '../points/answer-size.ts';
import { optionalFilter, searchParams } from '../points/normalise-filter.ts';
import { shown } from '../points/present.ts';
import { isVector, namedVector } from '../points/vector-input.ts';

/** The published default, of a query and of each prefetch. */
const LIMIT = 10;
/** Of reciprocal rank fusion, as the published API has it. */
const RRF_K = 2;

/** Of a batch, by either of the names that its member has. */
export function queriesOf(body: BodyOf<'query_batch'>): readonly RawQueryRequest[] {
  return 'searches' in body ? body.searches : body.queries;
}

/** @returns the request, and what its answer may cost: points before the offset are read as well */
export function queryRequest(body: RawQueryRequest): QueryRequest & PayloadForm & { readonly answer: AnswerPart } {
  const node = prefetchOf(body);
  const offset = body.offset ?? 0;
  const answered = shown(body, { payload: false });
  const shard_key = body.shard_key ?? null;
  return { ...node, offset, shard_key, ...answered, payloadAs: 'text', answer: { limit: offset + node.limit, ...answered } };
}

function prefetchOf(body: RawPrefetch): Prefetch {
  const { query, using, params, score_threshold, limit, lookup_from } = body;
  return {
    prefetch: listOf(body.prefetch).map(prefetchOf),
    ...(query == null ? {} : { query: queryOf(query) }),
    ...(using == null || using === '' ? {} : { using }),
    ...optionalFilter(body.filter),
    params: searchParams(params),
    score_threshold: score_threshold ?? null,
    limit: limit ?? LIMIT,
    ...(lookup_from == null ? {} : { lookup_from }),
  };
}

function queryOf(query: RawQuery): Query {
  if (typeof query !== 'object' || isVector(query)) return { kind: 'nearest', to: vectorOf(query) };
  if ('nearest' in query) return { kind: 'nearest', to: vectorOf(query.nearest), ...(query.mmr == null ? {} : { mmr: query.mmr }) };
  if ('recommend' in query) {
    const { positive, negative, strategy } = query.recommend;
    return {
      kind: 'recommend',
      positive: (positive ?? []).map(vectorOf),
      negative: (negative ?? []).map(vectorOf),
      strategy: strategy ?? 'average_vector',
    };
  }
  if ('discover' in query) return { kind: 'discover', target: vectorOf(query.discover.target), context: pairsOf(query.discover.context) };
  if ('context' in query) return { kind: 'context', context: pairsOf(query.context) };
  if ('relevance_feedback' in query) {
    const { target, feedback, strategy } = query.relevance_feedback;
    const judged = feedback.map(({ example, score }) => ({ example: vectorOf(example), score }));
    return { kind: 'relevance_feedback', target: vectorOf(target), feedback: judged, naive: strategy.naive };
  }
  if ('order_by' in query) return { kind: 'order_by', orderBy: query.order_by };
  if ('sample' in query) return { kind: 'sample' };
  if ('fusion' in query) return query.fusion === 'rrf' ? { kind: 'rrf', k: RRF_K } : { kind: 'dbsf' };
  if ('rrf' in query) return { kind: 'rrf', k: query.rrf.k ?? RRF_K, ...(query.rrf.weights == null ? {} : { weights: query.rrf.weights }) };
  return { kind: 'formula', expression: withNormalIds(query.formula), defaults: query.defaults ?? {} };
}

function vectorOf(example: RawExample): QueryVector {
  return typeof example === 'object' ? namedVector(example) : { id: normalisePointId(example) };
}

/** One pair, or a list of them. */
function pairsOf(pairs: RawContextPair | readonly RawContextPair[] | null | undefined): readonly ContextPair[] {
  return listOf(pairs).map(({ positive, negative }) => ({ positive: vectorOf(positive), negative: vectorOf(negative) }));
}

function listOf<Item extends object>(items: Item | readonly Item[] | null | undefined): readonly Item[] {
  if (items == null) return [];
  return isList(items) ? items : [items];
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList<Item extends object>(items: Item | readonly Item[]): items is readonly Item[] {
  return Array.isArray(items);
}

/** The ids that the conditions of a formula name, in their canonical form. Nothing else in a formula has a member of that name. */
function withNormalIds<Part>(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withNormalIds) as Part;
  const members = Object.entries(part).map(([name, value]) => [
    name,
    name === 'has_id' ? value.map(normalisePointId) : withNormalIds(value),
  ]);
  return Object.fromEntries(members) as Part;
}
