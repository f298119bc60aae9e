// SPDX-License-Identifier: Apache-2.0
/** The writes of the naive engine: every check before the first change. For tests. */
import type { Payload, PointSelector, UpdateResult } from '@sextant/contracts-vector';
import { assert, parseJson, stringifyJson } from '@sextant/foundation-std';
import { fieldNameOf, normaliseFieldSchema } from '../../field-index/schema.ts';
import { type StoredVectors, schemaNamed, storedVectors } from '../../model/vectors.ts';
import { deletePayloadKeys, overwritePayload, parseDeletePaths, parseRequestPath, setPayload } from '../../payload/payload-change.ts';
import type { CoreEngine } from './core-engine.ts';
import type { KeptCollection, KeptPoint } from './naive-collection.ts';
import { COUNTED_TYPES } from './naive-fields.ts';

type Writes = Pick<
  CoreEngine,
  | 'upsert'
  | 'deletePoints'
  | 'updateVectors'
  | 'deleteVectors'
  | 'setPayload'
  | 'overwritePayload'
  | 'deletePayload'
  | 'clearPayload'
  | 'createFieldIndex'
  | 'deleteFieldIndex'
>;

export function naiveWrites(collectionOf: (name: string) => KeptCollection): Writes {
  return {
    upsert: async (name, points, { mode = 'upsert', filter } = {}) => {
      const collection = collectionOf(name);
      const { schemas } = collection;
      const prepared = points.map(({ id, vector, payload }) => ({
        id,
        payload: kept(payload ?? {}),
        vectors: storedVectors(schemas, vector),
      }));
      const matches = collection.matcher(filter);
      const written = prepared.filter(({ id }) => {
        const point = collection.points.get(String(id));
        return point === undefined ? mode !== 'update_only' : mode !== 'insert_only' && matches(point);
      });
      return numbered(collection, (version) => {
        for (const point of written) collection.put({ ...point, version });
      });
    },
    deletePoints: async (name, selector) => {
      const collection = collectionOf(name);
      const ids = 'points' in selector ? selector.points : collection.matching(selector.filter).map(({ id }) => id);
      return numbered(collection, () => {
        for (const id of ids) collection.points.delete(String(id));
      });
    },
    updateVectors: async (name, points, filter) => {
      const collection = collectionOf(name);
      const prepared = points.map(({ id, vector }) => ({ id, vectors: storedVectors(collection.schemas, vector) }));
      const matches = collection.matcher(filter);
      const written = prepared.filter(({ id }) => matches(collection.get(id)));
      return numbered(collection, (version) => {
        for (const { id, vectors } of written) {
          const before = collection.get(id);
          collection.put({ ...before, version, vectors: together(before.vectors, vectors) });
        }
      });
    },
    deleteVectors: async (name, selector, names) => {
      const collection = collectionOf(name);
      const gone = names.map((each) => schemaNamed(collection.schemas, each));
      const goes = (isSparse: boolean, ordinal: number) =>
        gone.some(({ kind, schema }) => (kind === 'sparse') === isSparse && schema.ordinal === ordinal);
      return change(collection, selector, ({ vectors: { dense, sparse } }) => ({
        vectors: {
          dense: new Map([...dense].filter(([ordinal]) => !goes(false, ordinal))),
          sparse: new Map([...sparse].filter(([ordinal]) => !goes(true, ordinal))),
        },
      }));
    },
    setPayload: async (name, { selector, payload, key }) => {
      const collection = collectionOf(name);
      const at = key === undefined ? undefined : parseRequestPath(key, 'key');
      return change(collection, selector, (point) => ({ payload: kept(setPayload(point.payload, payload, at)) }));
    },
    overwritePayload: async (name, { selector, payload, key }) => {
      const collection = collectionOf(name);
      const at = key === undefined ? undefined : parseRequestPath(key, 'key');
      return change(collection, selector, (point) => ({ payload: kept(overwritePayload(point.payload, payload, at)) }));
    },
    deletePayload: async (name, selector, keys) => {
      const collection = collectionOf(name);
      const paths = parseDeletePaths(keys);
      return change(collection, selector, (point) => ({ payload: deletePayloadKeys(point.payload, paths) }));
    },
    clearPayload: async (name, selector) => change(collectionOf(name), selector, () => ({ payload: {} })),
    createFieldIndex: async (name, field, schema) => {
      const collection = collectionOf(name);
      const [path, complete] = [fieldNameOf(field), normaliseFieldSchema(schema)];
      assert(COUNTED_TYPES.includes(complete.type), `the naive engine has no ${complete.type} indexes`);
      return numbered(collection, () => collection.fields.set(path, complete));
    },
    deleteFieldIndex: async (name, field) => {
      const collection = collectionOf(name);
      const path = fieldNameOf(field);
      return numbered(collection, () => collection.fields.delete(path));
    },
  };
}

function numbered(collection: KeptCollection, run: (version: number) => void): UpdateResult {
  collection.sequence++;
  run(collection.sequence);
  return { operation_id: collection.sequence, status: 'Completed' };
}

function change(collection: KeptCollection, selector: PointSelector, changed: (point: KeptPoint) => Partial<KeptPoint>): UpdateResult {
  const written = collection.selected(selector).map((point) => ({ ...point, ...changed(point) }));
  return numbered(collection, (version) => {
    for (const point of written) collection.put({ ...point, version });
  });
}

function together(before: StoredVectors, after: StoredVectors): StoredVectors {
  return { dense: new Map([...before.dense, ...after.dense]), sparse: new Map([...before.sparse, ...after.sparse]) };
}

/** A copy that is no longer the caller's. */
function kept(payload: Payload): Payload {
  // The text of an object is an object.
  return parseJson(stringifyJson(payload)) as Payload;
}
