// SPDX-License-Identifier: Apache-2.0
/**
 * Reads of collections in shards: every shard is asked at once, and the answers become one. Queries of several steps, groups and recommendations stand on these
 * reads as they stand on those of one collection. A shard that cannot be asked fails the read: part of an answer is no answer. All shards get the same object as
 * their request, since a node is sent it once.
 */
import type { NearestRequest, PointRecord } from '@sextant/contracts-vector';
import type { Random } from '@sextant/foundation-std';
import type { EngineReads } from '../engine.ts';
import { vectorsByName } from '../model/collection-config.ts';
import type { Hit, PayloadForm, WeighedForm } from '../model/requests.ts';
import { shardOfPoint } from '../model/shards.ts';
import { returnedSparse, storedSparse } from '../model/sparse-vectors.ts';
import { openExamples } from '../query/examples.ts';
import { queryGroups } from '../query/query-groups.ts';
import { runQuery } from '../query/run-query.ts';
import { allOf, except, keyOf } from '../query/scored.ts';
import { neighboursFrom } from '../reads/neighbours-among.ts';
import { byRarity } from '../reads/sparse/sparse-weights.ts';
import { COMPLETED_LIMIT } from '../reads/view/optimizations.ts';
import { drawFrom } from './draw.ts';
import { gatherFacet } from './facet.ts';
import { mergeOrdered, mergePages, mergeSorted } from './merge.ts';
import { askAll, type ShardedCollection } from './shard.ts';
import { summedFigures, summedInfo, summedNorms, summedReport, summedStatus } from './summed.ts';

/** Defaults of single collections, which have to be known where answers are put together. */
const SCROLL_LIMIT = 10;
const FACET_LIMIT = 10;

export type ShardedReadsOptions = {
  /** Collections in one piece, and the definitions of those in shards. */
  readonly base: EngineReads;
  /** By name or alias; undefined for a collection in one piece, and for one that there is not. */
  readonly shardsOf: (collection: string) => ShardedCollection | undefined;
  readonly random: Random;
};

type Asked = NearestRequest & PayloadForm & WeighedForm;

export function shardedReads({ base, shardsOf, random }: ShardedReadsOptions): EngineReads {
  const reads: EngineReads = {
    ...base,
    collectionInfo: async (collection) => {
      const sharded = shardsOf(collection);
      const definition = await base.collectionInfo(collection);
      if (sharded === undefined) return definition;
      return summedInfo(definition, await askAll(sharded, (shard, name) => shard.collectionInfo(name)));
    },
    collectionFigures: async (collection) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.collectionFigures(collection);
      return summedFigures(await askAll(sharded, (shard, name) => shard.collectionFigures(name)));
    },
    collectionStatus: async (collection) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.collectionStatus(collection);
      return summedStatus(await askAll(sharded, (shard, name) => shard.collectionStatus(name)));
    },
    inputNorms: async (collection) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.inputNorms(collection);
      return summedNorms(await askAll(sharded, (shard, name) => shard.inputNorms(name)));
    },
    optimizations: async (collection, details) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.optimizations(collection, details);
      const reports = await askAll(sharded, (shard, name) => shard.optimizations(name, details));
      return summedReport(reports, details.completedLimit ?? COMPLETED_LIMIT);
    },
    retrieve: async (collection, request) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.retrieve(collection, request);
      const { shards } = sharded;
      const wanted = shards.map((_, index) => request.ids.filter((id) => shardOfPoint(id, shards.length) === index));
      const asked = await askAll(sharded, async (shard, name, index) => {
        const ids = wanted[index] ?? [];
        // What is wrong with the request is wrong without ids, too, and one shard is enough to say so.
        return ids.length === 0 && (index > 0 || request.ids.length > 0) ? [] : shard.retrieve(name, { ...request, ids });
      });
      const found = new Map(asked.flat().map((point): [string, PointRecord] => [keyOf(point.id), point]));
      return request.ids.flatMap((id) => found.get(keyOf(id)) ?? []);
    },
    scroll: async (collection, request) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.scroll(collection, request);
      const limit = request.limit ?? SCROLL_LIMIT;
      const pages = await askAll(sharded, (shard, name) => shard.scroll(name, request));
      const { order_by: order } = request;
      if (order == null) return mergePages(pages, limit);
      return mergeOrdered(pages, { limit, isDescending: typeof order !== 'string' && order.direction === 'desc' });
    },
    count: async (collection, request) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.count(collection, request);
      return (await askAll(sharded, (shard, name) => shard.count(name, request))).reduce((sum, count) => sum + count, 0);
    },
    facet: async (collection, request) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.facet(collection, request);
      const ask = (limit: number) => {
        const asked = { ...request, limit };
        return askAll(sharded, (shard, name) => shard.facet(name, asked));
      };
      return gatherFacet(ask, { limit: request.limit ?? FACET_LIMIT });
    },
    nearest: async (collection, request) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.nearest(collection, request);
      const { limit } = request;
      const offset = request.offset ?? 0;
      const asked = { ...(await askable(sharded, request)), offset: 0, limit: offset + limit };
      const lists = await askAll(sharded, (shard, name) => shard.nearest(name, asked));
      return mergeSorted(lists, comparison(sharded, request.using), offset + limit).slice(offset);
    },
    weighted: async (collection, request) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.weighted(collection, request);
      const { using, params } = request;
      if (!isWeighing(sharded, using)) return request.vector;
      const query = storedSparse(request.vector);
      const indices = Array.from(query.indices);
      const asked = { using, indices, params };
      const counts = await askAll(sharded, (shard, name) => shard.sparseCounts(name, asked));
      const vectors = counts.reduce((sum, shard) => sum + shard.vectors, 0);
      const having = indices.map((_, at) => counts.reduce((sum, shard) => sum + (shard.having[at] ?? 0), 0));
      return returnedSparse(byRarity(query, { vectors, having }));
    },
    sample: async (collection, request) => {
      const sharded = shardsOf(collection);
      if (sharded === undefined) return base.sample(collection, request);
      const { limit, having } = request;
      const holds = having === undefined ? null : { must: [{ has_vector: having }] };
      const filter = allOf([request.filter, holds]);
      const drawn = await askAll(sharded, (shard, name) => shard.sample(name, request));
      const counted = { filter };
      const counts = await askAll(sharded, (shard, name) => shard.count(name, counted));
      return drawFrom(drawn, { counts, limit, random });
    },
    neighboursAmong: async (collection, request) =>
      shardsOf(collection) === undefined
        ? base.neighboursAmong(collection, request)
        : neighboursFrom((asked) => reads.nearest(collection, asked), request),
    query: (collection, request) =>
      shardsOf(collection) === undefined && !namesShards(request) ? base.query(collection, request) : runQuery(steps, collection, request),
    queryGroups: (collection, request) =>
      shardsOf(collection) === undefined && !namesShards(request)
        ? base.queryGroups(collection, request)
        : queryGroups(steps, collection, request),
  };
  /** What steps of queries are made of: all that they ask a collection about itself is in its definition. */
  const steps = { ...reads, collectionInfo: (collection: string) => base.collectionInfo(collection) };

  /** Whether a query looks something up in a collection in shards. */
  function namesShards(request: object): boolean {
    return lookupsOf(request).some((collection) => shardsOf(collection) !== undefined);
  }

  /** What every shard can be asked: a vector in place of a point that one of them has, and weighed by the points of all. */
  async function askable(sharded: ShardedCollection, request: Asked): Promise<Asked> {
    const { using, params, filter } = request;
    const named = 'id' in request.vector ? request.vector : undefined;
    const examples = named && (await openExamples(steps, sharded.name, { using, params }));
    const vector = named === undefined ? request.vector : ((await examples?.vectorOf(named)) ?? request.vector);
    const others = named === undefined ? {} : { filter: allOf([filter, except([named.id])]) };
    if (request.isWeighed === true || using === undefined || !isWeighing(sharded, using) || !('indices' in vector)) {
      return { ...request, ...others, vector };
    }
    return {
      ...request,
      ...others,
      vector: await reads.weighted(sharded.name, { using, vector, params: params ?? null }),
      isWeighed: true,
    };
  }

  return reads;
}

function isWeighing({ config }: ShardedCollection, using: string): boolean {
  return config.params.sparse_vectors?.[using]?.modifier === 'idf';
}

/** The better hit first; unknown names are refused by the shards. */
function comparison({ config }: ShardedCollection, using = ''): (one: Hit, other: Hit) => number {
  const distance = vectorsByName(config.params.vectors).get(using)?.distance;
  const sign = distance === 'Euclid' || distance === 'Manhattan' ? 1 : -1;
  return (one, other) => sign * (one.score - other.score);
}

type Query = {
  readonly lookup_from?: { readonly collection: string };
  readonly with_lookup?: { readonly collection: string };
  readonly prefetch?: readonly Query[];
};

function lookupsOf(request: Query): readonly string[] {
  const own = [request.lookup_from?.collection, request.with_lookup?.collection].filter((each) => each !== undefined);
  return [...own, ...(request.prefetch ?? []).flatMap(lookupsOf)];
}
