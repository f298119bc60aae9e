// SPDX-License-Identifier: Apache-2.0
/** The writes of an engine, as operations that somebody runs: at once, or by way of a log. */
import type { ShardKeySelector } from '@sextant/contracts-vector';
import type { EngineWrites, Maintenance } from './engine.ts';
import type { OperationRunner } from './model/write-operation.ts';
import type { Catalog } from './writes/catalog.ts';
import type { CollectionWriter } from './writes/collection-writer.ts';

export function engineWrites(runner: OperationRunner): EngineWrites {
  return {
    createCollection: (collection, request) => done(runner.onCatalog({ kind: 'create_collection', collection, request })),
    updateCollection: (collection, update) => done(runner.onCollection({ kind: 'update_collection', collection, update })),
    deleteCollection: (collection) => runner.onCatalog({ kind: 'delete_collection', collection }),
    createVector: (collection, name, vector) => runner.onCollection({ kind: 'create_vector', collection, name, vector }),
    deleteVector: (collection, name) => runner.onCollection({ kind: 'delete_vector', collection, name }),
    changeAliases: (actions) => done(runner.onCatalog({ kind: 'change_aliases', actions })),
    upsert: (collection, points, condition, shardKey) =>
      runner.onCollection({ kind: 'upsert', collection, points, ...(condition === undefined ? {} : { condition }), ...under(shardKey) }),
    deletePoints: (collection, selector, shardKey) =>
      runner.onCollection({ kind: 'delete_points', collection, selector, ...under(shardKey) }),
    updateVectors: (collection, points, filter, shardKey) =>
      runner.onCollection({ kind: 'update_vectors', collection, points, ...(filter === undefined ? {} : { filter }), ...under(shardKey) }),
    deleteVectors: (collection, selector, names, shardKey) =>
      runner.onCollection({ kind: 'delete_vectors', collection, selector, names, ...under(shardKey) }),
    setPayload: (collection, change, shardKey) => runner.onCollection({ kind: 'set_payload', collection, change, ...under(shardKey) }),
    overwritePayload: (collection, change, shardKey) =>
      runner.onCollection({ kind: 'overwrite_payload', collection, change, ...under(shardKey) }),
    deletePayload: (collection, selector, keys, shardKey) =>
      runner.onCollection({ kind: 'delete_payload', collection, selector, keys, ...under(shardKey) }),
    clearPayload: (collection, selector, shardKey) =>
      runner.onCollection({ kind: 'clear_payload', collection, selector, ...under(shardKey) }),
    createFieldIndex: (collection, field, schema) => runner.onCollection({ kind: 'create_field_index', collection, field, schema }),
    deleteFieldIndex: (collection, field) => runner.onCollection({ kind: 'delete_field_index', collection, field }),
  };
}

async function done(running: Promise<unknown>): Promise<true> {
  await running;
  return true;
}

function under(shardKey: ShardKeySelector | undefined): { readonly shardKey?: ShardKeySelector } {
  return shardKey === undefined ? {} : { shardKey };
}

/** The maintenance of the embedded engine: of a collection in shards, of what this node has of it. */
export function maintenance(catalog: Catalog): Maintenance {
  const onParts = async <Result>(collection: string, run: (writer: CollectionWriter) => Promise<Result>): Promise<readonly Result[]> => {
    const results: Result[] = [];
    for (const part of catalog.partsOf(catalog.nameOf(collection))) results.push(await catalog.use(part, run));
    return results;
  };
  return {
    flush: async (collection) => {
      const [flushed] = await onParts(collection, (writer) => writer.flush());
      return flushed ?? catalog.use(collection, (writer) => writer.flush());
    },
    optimize: (collection) => done(onParts(collection, ({ upkeep }) => upkeep.optimize())),
    rebuildIndex: (collection) => done(onParts(collection, ({ upkeep }) => upkeep.rebuildIndex())),
  };
}
