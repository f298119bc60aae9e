// SPDX-License-Identifier: Apache-2.0
/**
 * What keys make of a collection, as plainly as it can be said: each key has a naive engine of its own, a write goes to those of its keys, and a read puts
 * together all that these have. For tests.
 */
import { ServiceError, type ShardKey, type ShardKeySelector, type UpdateResult } from '@sextant/contracts-vector';
import { comparePointIds } from '@sextant/vector-storage';
import type { CoreEngine } from './core-engine.ts';
import { openNaiveEngine } from './naive-engine.ts';

/** The part of an engine that `shard-keys.conformance.ts` asks for. */
export type KeyedEngine = Pick<
  CoreEngine,
  | 'createCollection'
  | 'upsert'
  | 'deletePoints'
  | 'updateVectors'
  | 'deleteVectors'
  | 'setPayload'
  | 'overwritePayload'
  | 'deletePayload'
  | 'clearPayload'
  | 'createFieldIndex'
  | 'retrieve'
  | 'scroll'
  | 'count'
  | 'facet'
  | 'nearest'
> & {
  createShardKey(collection: string, key: ShardKey): Promise<unknown>;
  dropShardKey(collection: string, key: ShardKey): Promise<unknown>;
};

/** More than any test has. */
const ALL = 1_000_000;

type Kept = {
  /** Says what is wrong with a request. */
  readonly definition: CoreEngine;
  readonly keys: Map<ShardKey, CoreEngine>;
  /** What new keys begin with. */
  readonly schema: ((engine: CoreEngine) => Promise<unknown>)[];
  sequence: number;
};

export function openNaiveKeys(): KeyedEngine {
  const kept = new Map<string, Kept>();
  const of = (collection: string): Kept => {
    const found = kept.get(collection);
    if (found === undefined) throw new ServiceError('collection_not_found', { collection });
    return found;
  };
  const notFound = (collection: string, key: ShardKey) => new ServiceError('shard_key_not_found', { key: JSON.stringify(key), collection });
  const named = (collection: string, selector: ShardKeySelector | null | undefined): readonly (readonly [ShardKey, CoreEngine])[] => {
    const { keys } = of(collection);
    if (selector == null) return [...keys];
    const isEither = typeof selector === 'object' && 'target' in selector;
    const wanted = isEither ? [keys.has(selector.target) ? selector.target : selector.fallback] : [selector].flat();
    for (const key of wanted) if (!keys.has(key)) throw notFound(collection, key);
    return [...keys].filter(([key]) => wanted.includes(key));
  };
  const schema = async (collection: string, change: (engine: CoreEngine) => Promise<unknown>): Promise<UpdateResult> => {
    const { definition, keys, schema: changes } = of(collection);
    for (const engine of [definition, ...keys.values()]) await change(engine);
    changes.push(change);
    return numbered(of(collection));
  };
  /** To those of its keys that have the points; a point that none has is refused before any changes. */
  const write = async (
    collection: string,
    selector: ShardKeySelector | undefined,
    {
      ids,
      run,
    }: {
      readonly ids: readonly (string | number | bigint)[];
      readonly run: (engine: CoreEngine, has: (id: unknown) => boolean) => Promise<unknown>;
    },
  ): Promise<UpdateResult> => {
    const engines = named(collection, selector);
    const there = await Promise.all(
      engines.map(async ([, engine]) => new Set((await engine.retrieve(collection, { ids })).map(({ id }) => id))),
    );
    const missing = ids.find((id) => !there.some((each) => each.has(id)));
    if (missing !== undefined) throw new ServiceError('point_not_found', { id: missing });
    for (const [at, [, engine]] of engines.entries()) await run(engine, (id) => there[at]?.has(id as string) === true);
    return numbered(of(collection));
  };
  const selecting = (selector: Parameters<CoreEngine['deletePoints']>[1]) => ({
    ids: 'points' in selector ? selector.points : [],
    within: (has: (id: unknown) => boolean) => ('points' in selector ? { points: selector.points.filter(has) } : selector),
  });
  /** All points of some keys, as one read of each gives them, with their keys. */
  const union = async <Point extends object>(
    collection: string,
    selector: ShardKeySelector | null | undefined,
    read: (engine: CoreEngine) => Promise<readonly Point[]>,
  ): Promise<readonly (Point & { readonly shard_key: ShardKey })[]> => {
    await read(of(collection).definition);
    const lists = await Promise.all(
      named(collection, selector).map(async ([key, engine]) => (await read(engine)).map((point) => ({ ...point, shard_key: key }))),
    );
    return lists.flat();
  };
  return {
    createCollection: async (collection, request) => {
      if (kept.has(collection)) throw new ServiceError('collection_exists', { collection });
      const make = (engine: CoreEngine) => engine.createCollection(collection, request);
      const definition = openNaiveEngine(new Map());
      await make(definition);
      kept.set(collection, { definition, keys: new Map(), schema: [make], sequence: 0 });
      return true;
    },
    createShardKey: async (collection, key) => {
      const { keys, schema: changes } = of(collection);
      if (keys.has(key)) throw new ServiceError('shard_change_refused', { reason: `the shard key ${JSON.stringify(key)} already exists` });
      const engine = openNaiveEngine(new Map());
      for (const change of changes) await change(engine);
      keys.set(key, engine);
    },
    dropShardKey: async (collection, key) => {
      if (!of(collection).keys.delete(key)) throw notFound(collection, key);
    },
    createFieldIndex: (collection, field, type) => schema(collection, (engine) => engine.createFieldIndex(collection, field, type)),
    upsert: async (collection, points, condition, shardKey) => {
      if (shardKey === undefined) throw new ServiceError('shard_key_required', { collection });
      await of(collection).definition.upsert(collection, points, { ...condition, mode: 'update_only' });
      return write(collection, shardKey, { ids: [], run: (engine) => engine.upsert(collection, points, condition) });
    },
    deletePoints: (collection, selector, shardKey) =>
      write(collection, shardKey, { ids: [], run: (engine) => engine.deletePoints(collection, selector) }),
    updateVectors: (collection, points, filter, shardKey) =>
      write(collection, shardKey, {
        ids: points.map(({ id }) => id),
        run: (engine, has) =>
          engine.updateVectors(
            collection,
            points.filter(({ id }) => has(id)),
            filter,
          ),
      }),
    deleteVectors: (collection, selector, names, shardKey) => {
      const { ids, within } = selecting(selector);
      return write(collection, shardKey, { ids, run: (engine, has) => engine.deleteVectors(collection, within(has), names) });
    },
    setPayload: (collection, change, shardKey) => {
      const { ids, within } = selecting(change.selector);
      return write(collection, shardKey, {
        ids,
        run: (engine, has) => engine.setPayload(collection, { ...change, selector: within(has) }),
      });
    },
    overwritePayload: (collection, change, shardKey) => {
      const { ids, within } = selecting(change.selector);
      const run = (engine: CoreEngine, has: (id: unknown) => boolean) =>
        engine.overwritePayload(collection, { ...change, selector: within(has) });
      return write(collection, shardKey, { ids, run });
    },
    deletePayload: (collection, selector, keys, shardKey) => {
      const { ids, within } = selecting(selector);
      return write(collection, shardKey, { ids, run: (engine, has) => engine.deletePayload(collection, within(has), keys) });
    },
    clearPayload: (collection, selector, shardKey) => {
      const { ids, within } = selecting(selector);
      return write(collection, shardKey, { ids, run: (engine, has) => engine.clearPayload(collection, within(has)) });
    },
    /** Of each id the points of all keys that have it. */
    retrieve: async (collection, request) => {
      const asked = { ...request, ids: [...new Set(request.ids)] };
      const all = await union(collection, request.shard_key, (engine) => engine.retrieve(collection, asked));
      return request.ids.flatMap((id) => all.filter((point) => point.id === id));
    },
    /** By id, and of one id by key; a page ends with the last point of its last id. */
    scroll: async (collection, request) => {
      const { limit: asked, order_by: order } = request;
      const limit = asked ?? 10;
      const all = await union(
        collection,
        request.shard_key,
        async (engine) => (await engine.scroll(collection, { ...request, limit: ALL })).points,
      );
      const sign = typeof order === 'object' && order?.direction === 'desc' ? -1 : 1;
      const orderOf = (point: object) => Number((point as { readonly order_value?: number }).order_value ?? 0);
      const sorted = all.toSorted((one, other) => sign * (orderOf(one) - orderOf(other) || comparePointIds(one.id, other.id)));
      if (order != null) return { points: sorted.slice(0, limit), next_page_offset: null };
      const last = sorted[limit - 1]?.id;
      const points = sorted.filter(({ id }, at) => at < limit || id === last);
      return { points, next_page_offset: sorted[points.length]?.id ?? null };
    },
    count: async (collection, request) => {
      const counts = await union(collection, request.shard_key, async (engine) => [{ count: await engine.count(collection, request) }]);
      return counts.reduce((sum, { count }) => sum + count, 0);
    },
    facet: async (collection, request) => {
      const hits = await union(collection, request.shard_key, (engine) => engine.facet(collection, { ...request, limit: ALL }));
      const counts = new Map<(typeof hits)[number]['value'], number>();
      for (const { value, count } of hits) counts.set(value, (counts.get(value) ?? 0) + count);
      const sorted = [...counts].map(([value, count]) => ({ value, count }));
      return sorted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, request.limit ?? 10);
    },
    /** An id stands for the point of the first key that has it, and an answer has no point of that id. */
    nearest: async (collection, request) => {
      const { limit, offset } = request;
      const wanted = { ...request, offset: 0, limit: ALL };
      const asked = 'id' in request.vector ? { ...wanted, vector: await vectorOf(request.vector.id) } : wanted;
      const hits = await union(collection, request.shard_key, (engine) => engine.nearest(collection, asked));
      const others = hits.filter(({ id }) => !('id' in request.vector) || id !== request.vector.id);
      // The tests search by Euclid.
      return others.toSorted((one, other) => one.score - other.score).slice(offset ?? 0, (offset ?? 0) + limit);

      async function vectorOf(id: string | number | bigint) {
        const [first] = await union(collection, request.shard_key, (engine) =>
          engine.retrieve(collection, { ids: [id], with_vector: true }),
        );
        if (first === undefined) throw new ServiceError('point_not_found', { id });
        // The tests have one unnamed vector.
        return first.vector as readonly number[];
      }
    },
  };
}

function numbered(kept: Kept): UpdateResult {
  kept.sequence += 1;
  return { operation_id: kept.sequence, status: 'Completed' };
}
