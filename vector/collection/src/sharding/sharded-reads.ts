// SPDX-License-Identifier: Apache-2.0
/**
 * Reads of collections in shards: every shard that a request is about is asked at once, and the answers become one. Queries of several steps, groups and
 * recommendations stand on these reads as they stand on those of one collection. A shard that cannot be asked fails the read: part of an answer is no answer.
 */
import type { PointGroup, QueryRequest, ShardKeySelector } from '@sextant/contracts-vector';
import type { Random } from '@sextant/foundation-std';
import type { EngineReads } from '../engine.ts';
import type { GroupsRequest, Hit, PayloadForm, PointReads } from '../model/requests.ts';
import { lookupsOf } from '../query/lookups.ts';
import { queryGroups } from '../query/query-groups.ts';
import { runQuery } from '../query/run-query.ts';
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

  /** One read of points, of the shards or of the collection in one piece. */
  async function read<Answer>(
    collection: string,
    { shard_key: selector }: { readonly shard_key?: ShardKeySelector | null },
    ask: (reads: ScopedReads) => Promise<Answer>,
  ): Promise<Answer> {
    const ran = await scopes.over(collection, selector, (scope) => ask(readsIn(scope)));
    return ran === undefined ? ask(base) : ran.answer;
  }

  async function all<Answer>(
    collection: string,
    ask: (reads: ShardReads, name: string) => Promise<Answer>,
    sum: (answers: readonly Answer[]) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const ran = await scopes.over(collection, null, async (scope) => sum(await askAll(scope, ask)));
    return ran === undefined ? ask(base, collection) : ran.answer;
  }

  const reads: EngineReads = {
    ...base,
    admit: (collection, demandOf) => {
      if (shardsOf(collection) === undefined) return base.admit(collection, demandOf);
      const size = () => reads.collectionFigures(collection);
      return base.admit(collection, demandOf, { size, count: (filter) => reads.count(collection, { filter }) });
    },
    collectionInfo: (collection) =>
      all(
        collection,
        (of, name) => of.collectionInfo(name),
        async (shards) => summedInfo(await base.collectionInfo(collection), shards),
      ),
    collectionFigures: (collection) => all(collection, (of, name) => of.collectionFigures(name), summedFigures),
    collectionStatus: (collection) => all(collection, (of, name) => of.collectionStatus(name), summedStatus),
    inputNorms: (collection) => all(collection, (of, name) => of.inputNorms(name), summedNorms),
    optimizations: (collection, details) =>
      all(
        collection,
        (of, name) => of.optimizations(name, details),
        (reports) => summedReport(reports, details.completedLimit ?? COMPLETED_LIMIT),
      ),
    retrieve: (collection, request) => read(collection, request, (of) => of.retrieve(collection, request)),
    scroll: (collection, request) => read(collection, request, (of) => of.scroll(collection, request)),
    count: (collection, request) => read(collection, request, (of) => of.count(collection, request)),
    facet: (collection, request) => read(collection, request, (of) => of.facet(collection, request)),
    nearest: (collection, request) => read(collection, request, (of) => of.nearest(collection, request)),
    weighted: (collection, request) => read(collection, request, (of) => of.weighted(collection, request)),
    sample: (collection, request) => read(collection, request, (of) => of.sample(collection, request)),
    neighboursAmong: (collection, request) => read(collection, request, (of) => of.neighboursAmong(collection, request)),
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
      ...scoped,
      retrieve: (name, request) => (isOwn(name, request) ? scoped : reads).retrieve(name, request),
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
