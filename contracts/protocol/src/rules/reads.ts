// SPDX-License-Identifier: Apache-2.0
/** Requests that read points. */
import type { Message } from '@bufbuild/protobuf';
import type { SearchPointGroups, SearchPoints } from '@qdrant/js-client-grpc';
import { Inexpressible } from '../inexpressible.ts';
import type { MessageReader } from '../message-reader.ts';
import { BESIDE_BODY, listOf, type Members, type Rule, type Rules, readBody } from '../rule.ts';
import { float32Of, isSparse, isVector } from './vectors.ts';

export const readRules: Rules = {
  'qdrant.GetPoints': { write: withVectors },
  'qdrant.ScrollPoints': { write: withVectors },
  'qdrant.SearchPoints': { read: readSearch, write: writeSearch },
  'qdrant.SearchPointGroups': { read: readSearch, write: (body: Members) => writeSearch(grouped(body)) },
  'qdrant.SearchBatchPoints': batchOf('search_points'),
  'qdrant.RecommendPoints': { read: readRecommendation, write: writeRecommendation },
  'qdrant.RecommendPointGroups': { read: readRecommendation, write: (body: Members) => writeRecommendation(grouped(body)) },
  'qdrant.RecommendBatchPoints': batchOf('recommend_points'),
  'qdrant.DiscoverPoints': { read: readDiscovery, write: writeDiscovery },
  'qdrant.DiscoverBatchPoints': batchOf('discover_points'),
  'qdrant.QueryPoints': { read: readBody, write: prefetching },
  'qdrant.QueryPointGroups': { read: readBody, write: prefetching },
  'qdrant.WithLookup': {
    write: (lookup: unknown) => (typeof lookup === 'string' ? { collection: lookup } : withVectors(lookup as Members)),
  },
  'qdrant.QueryBatchPoints': batchOf('query_points'),
};

/** Each of a batch names a collection, which is that of the batch. */
function batchOf(member: string): Rule {
  return {
    read: (request: Message, reader) => ({ searches: reader.members(request)[member] }),
    write: ({ collection_name, searches }: Members) => {
      if (!Array.isArray(searches)) throw new Inexpressible('searches that are no list');
      return { collection_name, [member]: searches };
    },
  };
}

function readSearch(search: SearchPoints | SearchPointGroups, reader: MessageReader): Members {
  const { vector, vectorName, sparseIndices } = search;
  const members = reader.members(search, [...BESIDE_BODY, 'vector', 'vector_name', 'sparse_indices']);
  const query = sparseIndices === undefined ? reader.vector(vector) : { indices: sparseIndices.data, values: vector };
  return { ...members, vector: vectorName === undefined ? query : { name: vectorName, vector: query } };
}

function writeSearch(body: Members): Members {
  const { vector, limit, top = limit, ...members } = withVectors(body);
  if (limit !== undefined && top !== limit) throw new Inexpressible('limit and top');
  const isNamed = !isVector(vector) && !isSparse(vector);
  const { name, vector: query } = isNamed ? (vector as Members) : { name: undefined, vector };
  return { ...members, ...queryVector(query), limit: required(top), vector_name: name };
}

function queryVector(vector: unknown): Members {
  if (isSparse(vector)) return { vector: float32Of(vector.values), sparse_indices: { data: vector.indices } };
  if (!isVector(vector)) throw new Inexpressible('neither a dense vector nor a sparse one');
  return { vector: float32Of(vector) };
}

/** Examples by id and examples by vector are one list to REST. */
function readRecommendation(request: Message, reader: MessageReader): Members {
  const { positive, negative, positive_vectors, negative_vectors, ...members } = readBody(request, reader);
  const both = (...lists: readonly unknown[]) => lists.flatMap((list) => (list as readonly unknown[] | undefined) ?? []);
  return { ...members, positive: both(positive, positive_vectors), negative: both(negative, negative_vectors) };
}

function writeRecommendation(body: Members): Members {
  const { positive, negative, limit, ...members } = withVectors(body);
  return {
    ...members,
    limit: required(limit),
    positive: listOf(positive)?.filter((example) => !isExampleVector(example)),
    negative: listOf(negative)?.filter((example) => !isExampleVector(example)),
    positive_vectors: listOf(positive)?.filter(isExampleVector),
    negative_vectors: listOf(negative)?.filter(isExampleVector),
  };
}

function isExampleVector(example: unknown): boolean {
  return isVector(example) || isSparse(example);
}

/** A target that is not set is left out, and so are pairs of which there are none. */
function readDiscovery(request: Message, reader: MessageReader): Members {
  const { context, ...members } = readBody(request, reader);
  return { ...members, ...((context as readonly unknown[]).length === 0 ? {} : { context }) };
}

function writeDiscovery(body: Members): Members {
  const { limit, context, ...members } = withVectors(body);
  return { ...members, limit: required(limit), context: listOf(context) };
}

function prefetching(body: Members): Members {
  const { prefetch, ...members } = withVectors(body);
  return { ...members, prefetch: listOf(prefetch) };
}

function grouped(body: Members): Members {
  return { ...body, limit: required(body.limit), group_size: required(body.group_size) };
}

/** The protocol takes a limit that is not given for one of 0; REST has one of its own. */
function required(value: unknown): unknown {
  if (value === undefined || value === null) throw new Inexpressible('a limit that is not given');
  return value;
}

/** REST has two spellings of what the protocol calls `with_vectors`. */
function withVectors({ with_vector: one, with_vectors: many, ...members }: Members): Members {
  if (one !== undefined && many !== undefined) throw new Inexpressible('with_vector and with_vectors');
  return { ...members, with_vectors: many ?? one };
}
