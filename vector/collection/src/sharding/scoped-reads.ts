// SPDX-License-Identifier: Apache-2.0
/**
 * Reads of points over some shards of a collection: every shard is asked at once, and the answers become one. All shards get the same object as their request,
 * since a node is sent it once.
 */
import type { NearestRequest } from '@sextant/contracts-vector';
import type { Random } from '@sextant/foundation-std';
import type { EngineReads } from '../engine.ts';
import { vectorsByName } from '../model/collection-config.ts';
import type { Hit, NeighboursRequest, PayloadForm, PointReads, WeighedForm } from '../model/requests.ts';
import { shardOfPoint } from '../model/shards.ts';
import { returnedSparse, storedSparse } from '../model/sparse-vectors.ts';
import { openExamples } from '../query/examples.ts';
import { allOf, except, keyOf } from '../query/scored.ts';
import { neighboursFrom } from '../reads/neighbours-among.ts';
import { byRarity } from '../reads/sparse/sparse-weights.ts';
import { drawFrom } from './draw.ts';
import { gatherFacet } from './facet.ts';
import type { KeyedPoint } from './key-scope.ts';
import type { IdForm } from './keyed-ids.ts';
import { mergeOrdered, mergePages, mergeSorted } from './merge.ts';
import { askAll, type Shard, type ShardedCollection } from './shard.ts';

/** Defaults of single collections, which have to be known where answers are put together. */
const SCROLL_LIMIT = 10;
const FACET_LIMIT = 10;

export type ScopedReadsOptions = {
  readonly scope: ShardedCollection;
  readonly ids: IdForm;
  /** Look up, in the same scope, the vectors of points that a search names. */
  readonly steps: () => PointReads;
  readonly random: Random;
};

/** The scope is that of one collection, so what a caller names is not looked at. */
export type ScopedReads = Pick<
  EngineReads,
  'retrieve' | 'scroll' | 'count' | 'facet' | 'nearest' | 'weighted' | 'sample' | 'neighboursAmong'
>;

type Asked = NearestRequest & PayloadForm & WeighedForm;

export function scopedReads({ scope, ids, steps, random }: ScopedReadsOptions): ScopedReads {
  const reads: ScopedReads = {
    retrieve: async (_, request) => {
      const [first] = scope.shards;
      const asked = await askAll(scope, async (shard, name, of) => {
        // One that is wanted twice is asked for once.
        const own = [...new Set(request.ids.flatMap((id) => ids.idIn(id, of) ?? []))].filter((id) => isOf(id, of));
        // What is wrong with the request is wrong without ids, too, and one shard is enough to say so.
        const isSpared = own.length === 0 && (of !== first || request.ids.length > 0);
        return isSpared ? [] : tagged(await shard.retrieve(name, { ...request, ids: own }), of);
      });
      const points = asked.flat();
      const byId = Map.groupBy(points, ({ id }) => keyOf(id));
      const named = Map.groupBy(points.map(ids.named), ({ id }) => keyOf(id));
      // Within a query, an id without a key stands for one point.
      return request.ids.flatMap((id) => named.get(keyOf(id)) ?? byId.get(keyOf(id))?.slice(0, 1) ?? []);
    },
    scroll: async (_, request) => {
      const limit = request.limit ?? SCROLL_LIMIT;
      const asked = ids.asked(request);
      const pages = await askAll(scope, async (shard, name, of) => {
        const page = await shard.scroll(name, asked(of));
        return { ...page, points: tagged(page.points, of) };
      });
      const { order_by: order } = request;
      const isDescending = typeof order === 'object' && order?.direction === 'desc';
      const merged = order == null ? mergePages(pages, limit) : mergeOrdered(pages, { limit, isDescending });
      return { ...merged, points: merged.points.map(ids.named) };
    },
    count: async (_, request) => {
      const asked = ids.asked(request);
      return (await askAll(scope, (shard, name, of) => shard.count(name, asked(of)))).reduce((sum, count) => sum + count, 0);
    },
    facet: (_, request) => {
      const ask = (limit: number) => {
        const asked = { ...request, limit };
        return askAll(scope, (shard, name) => shard.facet(name, asked));
      };
      return gatherFacet(ask, { limit: request.limit ?? FACET_LIMIT });
    },
    nearest: async (_, request) => {
      const { limit } = request;
      const offset = request.offset ?? 0;
      const asked = ids.asked({ ...(await askable(request)), offset: 0, limit: offset + limit });
      const lists = await askAll(scope, async (shard, name, of) => tagged(await shard.nearest(name, asked(of)), of));
      return mergeSorted(lists, comparison(scope, request.using), offset + limit)
        .slice(offset)
        .map(ids.named);
    },
    weighted: async (_, request) => {
      const { using, params } = request;
      if (!isWeighing(scope, using)) return request.vector;
      const query = storedSparse(request.vector);
      const indices = Array.from(query.indices);
      const asked = { using, indices, params };
      const counts = await askAll(scope, (shard, name) => shard.sparseCounts(name, asked));
      const vectors = counts.reduce((sum, shard) => sum + shard.vectors, 0);
      const having = indices.map((_, at) => counts.reduce((sum, shard) => sum + (shard.having[at] ?? 0), 0));
      return returnedSparse(byRarity(query, { vectors, having }));
    },
    sample: async (_, request) => {
      const { limit, having } = request;
      const holds = having === undefined ? null : { must: [{ has_vector: having }] };
      const asked = ids.asked(request);
      const drawn = await askAll(scope, async (shard, name, of) => tagged(await shard.sample(name, asked(of)), of));
      const counted = ids.asked({ filter: allOf([request.filter, holds]) });
      const counts = await askAll(scope, (shard, name, of) => shard.count(name, counted(of)));
      return drawFrom(drawn, { counts, limit, random }).map(ids.named);
    },
    neighboursAmong: (_, request) => distinctNeighbours((nearest) => reads.nearest(scope.name, nearest), request),
  };

  /** What every shard can be asked: a vector in place of a point that one of them has, and weighed by the points of all. */
  async function askable(request: Asked): Promise<Asked> {
    const { using, params, filter } = request;
    const named = 'id' in request.vector ? request.vector : undefined;
    const examples = named && (await openExamples(steps(), scope.name, { using, params }));
    const vector = named === undefined ? request.vector : ((await examples?.vectorOf(named)) ?? request.vector);
    const others = named === undefined ? {} : { filter: allOf([filter, except([named.id])]) };
    if (request.isWeighed === true || using === undefined || !isWeighing(scope, using) || !('indices' in vector)) {
      return { ...request, ...others, vector };
    }
    return { ...request, ...others, vector: await reads.weighted(scope.name, { using, vector, params: params ?? null }), isWeighed: true };
  }

  return reads;
}

/** Points of a shard under a key say the key. */
function tagged<Point extends KeyedPoint>(points: readonly Point[], { place }: Shard): readonly Point[] {
  const key = place?.key;
  return key === undefined ? points : points.map((point) => ({ ...point, shard_key: key }));
}

function isOf(id: Parameters<typeof shardOfPoint>[0], { place }: Shard): boolean {
  return place === undefined || shardOfPoint(id, place.count) === place.index;
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

/** Of points that several keys have under one id, the nearest counts. */
async function distinctNeighbours(
  ask: (request: NearestRequest) => Promise<readonly Hit[]>,
  request: NeighboursRequest,
): Promise<readonly Hit[]> {
  const { limit, among } = request;
  for (let asked = limit; ; asked *= 2) {
    const hits = await neighboursFrom(ask, { ...request, limit: asked });
    const seen = new Set<string>();
    const distinct = hits.filter(({ id }) => !seen.has(keyOf(id)) && seen.add(keyOf(id)));
    if (distinct.length >= limit || hits.length < asked || distinct.length >= among.length) return distinct.slice(0, limit);
  }
}
