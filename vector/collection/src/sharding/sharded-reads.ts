// SPDX-License-Identifier: Apache-2.0
/**
 * Reads of collections in shards: every shard that a request is about is asked at once, and the answers become one. Queries of several steps, groups and
 * recommendations stand on these reads as they stand on those of one collection. A shard that cannot be asked fails the read: part of an answer is no answer.
 */
import type { PointGroup, QueryRequest, ShardKeySelector } from '@sextant/contracts-vector';
import type { Random } from '@sextant/foundation-std';
import type { EngineReads } from '../engine.ts';
import type { PointReads } from '../model/point-reads.ts';
import type { GroupsRequest, Hit, NeighboursRequest, PayloadForm } from '../model/requests.ts';
import { lookupsOf } from '../query/lookups.ts';
import { queryGroups } from '../query/query-groups.ts';
import { runQuery } from '../query/run-query.ts';
import { keyOf } from '../query/scored.ts';
import { neighboursFrom } from '../reads/neighbours-among.ts';
import { COMPLETED_LIMIT } from '../reads/view/optimizations.ts';
import { KeyScopes } from './key-scope.ts';
import { idsUnder, PLAIN_IDS } from './keyed-ids.ts';
import { type ScopedReads, scopedReads } from './scoped-reads.ts';
import { askAll, type ShardedCollection, type ShardReads } from './shard.ts';
import { summedFigures, summedInfo, summedNorms, summedReport, summedStatus } from './summed.ts';

export type ShardedReadsOptions = {
  /** Collections in one piece, and the definitions of those in shards. */
  readonly base: EngineReads;
  /** By name or alias; undefined for a collection in one piece, and for one that there is not. */
  readonly shardsOf: (collection: string) => ShardedCollection | undefined;
  /** Resolves when this node has everything that any node had acknowledged by now. */
  readonly caughtUp?: () => Promise<void>;
  readonly random: Random;
};

export function shardedReads({ base, shardsOf, caughtUp = async () => undefined, random }: ShardedReadsOptions): EngineReads {
  const scopes = new KeyScopes({ shardsOf, caughtUp, definition: (name) => ({ name, reads: base }) });

  /** One read of points, as the shards have them or as the collection in one piece does. */
  async function read<Answer>(
    collection: string,
    selector: ShardKeySelector | null | undefined,
    { whole, sharded }: { readonly whole: () => Promise<Answer>; readonly sharded: (reads: ScopedReads) => Promise<Answer> },
  ): Promise<Answer> {
    const ran = await scopes.over(collection, selector, (scope) => sharded(readsIn(scope)));
    return ran === undefined ? whole() : ran.answer;
  }

  async function all<Answer>(
    collection: string,
    {
      whole,
      ask,
      sum,
    }: {
      readonly whole: () => Promise<Answer>;
      readonly ask: (reads: ShardReads, name: string) => Promise<Answer>;
      readonly sum: (answers: readonly Answer[]) => Answer | Promise<Answer>;
    },
  ): Promise<Answer> {
    const ran = await scopes.over(collection, null, async (scope) => sum(await askAll(scope, ask)));
    return ran === undefined ? whole() : ran.answer;
  }

  const reads: EngineReads = {
    ...base,
    admit: (collection, demandOf) => {
      if (shardsOf(collection) === undefined) return base.admit(collection, demandOf);
      const size = () => reads.collectionFigures(collection);
      return base.admit(collection, demandOf, { size, count: (filter) => reads.count(collection, { filter }) });
    },
    collectionInfo: (collection) =>
      all(collection, {
        whole: () => base.collectionInfo(collection),
        ask: (shard, name) => shard.collectionInfo(name),
        sum: async (shards) => summedInfo(await base.collectionInfo(collection), shards),
      }),
    collectionFigures: (collection) =>
      all(collection, {
        whole: () => base.collectionFigures(collection),
        ask: (shard, name) => shard.collectionFigures(name),
        sum: summedFigures,
      }),
    collectionStatus: (collection) =>
      all(collection, {
        whole: () => base.collectionStatus(collection),
        ask: (shard, name) => shard.collectionStatus(name),
        sum: summedStatus,
      }),
    inputNorms: (collection) =>
      all(collection, { whole: () => base.inputNorms(collection), ask: (shard, name) => shard.inputNorms(name), sum: summedNorms }),
    optimizations: (collection, details) =>
      all(collection, {
        whole: () => base.optimizations(collection, details),
        ask: (shard, name) => shard.optimizations(name, details),
        sum: (reports) => summedReport(reports, details.completedLimit ?? COMPLETED_LIMIT),
      }),
    retrieve: (collection, request) =>
      read(collection, request.shard_key, {
        whole: () => base.retrieve(collection, request),
        sharded: (scoped) => scoped.retrieve(request),
      }),
    scroll: (collection, request) =>
      read(collection, request.shard_key, { whole: () => base.scroll(collection, request), sharded: (scoped) => scoped.scroll(request) }),
    count: (collection, request) =>
      read(collection, request.shard_key, { whole: () => base.count(collection, request), sharded: (scoped) => scoped.count(request) }),
    facet: (collection, request) =>
      read(collection, request.shard_key, { whole: () => base.facet(collection, request), sharded: (scoped) => scoped.facet(request) }),
    nearest: (collection, request) =>
      read(collection, request.shard_key, { whole: () => base.nearest(collection, request), sharded: (scoped) => scoped.nearest(request) }),
    weighted: (collection, request) =>
      read(collection, request.shard_key, {
        whole: () => base.weighted(collection, request),
        sharded: (scoped) => scoped.weighted(request),
      }),
    sample: (collection, request) =>
      read(collection, request.shard_key, { whole: () => base.sample(collection, request), sharded: (scoped) => scoped.sample(request) }),
    neighboursAmong: (collection, request) =>
      read(collection, request.shard_key, {
        whole: () => base.neighboursAmong(collection, request),
        sharded: (scoped) => neighboursIn(scoped, request),
      }),
    query: async (collection, request) => {
      const ran = await overKeys(collection, request, (steps) => runQuery(steps, collection, request));
      if (ran !== undefined) return ran.answer.map(ran.plain);
      return isWhole(collection, request) ? base.query(collection, request) : runQuery(definedReads, collection, request);
    },
    queryGroups: async (collection, request) => {
      const ran = await overKeys(collection, request, (steps) => queryGroups(steps, collection, request));
      if (ran !== undefined) return ran.answer.map((group): PointGroup<Hit> => ({ ...group, hits: group.hits.map(ran.plain) }));
      return isWhole(collection, request) ? base.queryGroups(collection, request) : queryGroups(definedReads, collection, request);
    },
  };
  /** What steps of queries are made of: all that they ask a collection about itself is in its definition. */
  const definedReads: PointReads = { ...reads, collectionInfo: (collection) => base.collectionInfo(collection) };

  function readsIn(scope: ShardedCollection): ScopedReads {
    const scoped: ScopedReads = scopedReads({ scope, ids: PLAIN_IDS, random, steps: () => stepsIn(scope.name, scoped) });
    return scoped;
  }

  /** Reads of one collection within a scope; of others, which are looked up in, as anybody has them. */
  function stepsIn(collection: string, scoped: ScopedReads): PointReads {
    const isOwn = (name: string, request: { readonly shard_key?: ShardKeySelector | null }) =>
      name === collection && request.shard_key == null;
    return {
      ...definedReads,
      retrieve: (name, request) => (isOwn(name, request) ? scoped.retrieve(request) : reads.retrieve(name, request)),
      scroll: (_, request) => scoped.scroll(request),
      count: (_, request) => scoped.count(request),
      nearest: (_, request) => scoped.nearest(request),
      weighted: (_, request) => scoped.weighted(request),
      sample: (_, request) => scoped.sample(request),
    };
  }

  /** A query of a collection that keys divide, whose steps tell its points apart by key; undefined of any other collection. */
  async function overKeys<Answer>(
    collection: string,
    { shard_key: selector }: Pick<QueryRequest, 'shard_key'>,
    run: (steps: PointReads) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly plain: (hit: Hit) => Hit } | undefined> {
    if (shardsOf(collection)?.config.shardKeys === undefined) return undefined;
    const ran = await scopes.over(collection, selector, async (scope) => {
      const ids = idsUnder([...new Set(scope.shards.flatMap(({ place }) => place?.key ?? []))]);
      const scoped: ScopedReads = scopedReads({ scope, ids, random, steps: () => stepsIn(scope.name, scoped) });
      return { answer: await run(stepsIn(collection, scoped)), plain: ids.plain<Hit> };
    });
    return ran?.answer;
  }

  /** Whether a query looks nothing up in a collection in shards, its own included. */
  function isWhole(collection: string, request: (QueryRequest & PayloadForm) | GroupsRequest): boolean {
    return [collection, ...lookupsOf(request)].every((name) => shardsOf(name) === undefined);
  }

  return reads;
}

/** Of points that several keys have under one id, the nearest counts. */
async function neighboursIn(scoped: ScopedReads, request: NeighboursRequest): Promise<readonly Hit[]> {
  const { limit, among } = request;
  for (let asked = limit; ; asked *= 2) {
    const hits = await neighboursFrom((nearest) => scoped.nearest(nearest), { ...request, limit: asked });
    const seen = new Set<string>();
    const distinct = hits.filter(({ id }) => !seen.has(keyOf(id)) && seen.add(keyOf(id)));
    if (distinct.length >= limit || hits.length < asked || distinct.length >= among.length) return distinct.slice(0, limit);
  }
}
