/** The writes of the embedded engine. */
import type { EngineWrites } from './engine.ts';
import { fieldNameOf, normaliseFieldSchema } from './field-index/schema.ts';
import type { Catalog } from './writes/catalog.ts';
import {
  clearPayloadJob,
  deleteJob,
  deletePayloadJob,
  deleteVectorsJob,
  overwritePayloadJob,
  setPayloadJob,
  updateVectorsJob,
  upsertJob,
} from './writes/point-jobs.ts';

export function engineWrites(catalog: Catalog): EngineWrites {
  return {
    createCollection: async (collection, request) => catalog.create(collection, request),
    updateCollection: async (collection, request) => catalog.update(collection, request),
    deleteCollection: async (collection) => catalog.delete(collection),
    createVector: async (collection, name, vector) => catalog.writer(collection).createVector(name, vector),
    deleteVector: async (collection, name) => catalog.writer(collection).deleteVector(name),
    changeAliases: async (actions) => catalog.changeAliases(actions),
    upsert: async (collection, points, condition) => {
      const writer = catalog.writer(collection);
      return writer.points(upsertJob(writer.schemas, points, condition), points.length);
    },
    deletePoints: async (collection, selector) => catalog.writer(collection).points(deleteJob(selector)),
    updateVectors: async (collection, points, filter) => {
      const writer = catalog.writer(collection);
      return writer.points(updateVectorsJob(writer.schemas, points, filter), points.length);
    },
    deleteVectors: async (collection, selector, names) => {
      const writer = catalog.writer(collection);
      return writer.points(deleteVectorsJob(writer.schemas, selector, names));
    },
    setPayload: async (collection, request) => catalog.writer(collection).points(setPayloadJob(request)),
    overwritePayload: async (collection, request) => catalog.writer(collection).points(overwritePayloadJob(request)),
    deletePayload: async (collection, selector, keys) => catalog.writer(collection).points(deletePayloadJob(selector, keys)),
    clearPayload: async (collection, selector) => catalog.writer(collection).points(clearPayloadJob(selector)),
    createFieldIndex: async (collection, field, schema) =>
      catalog.writer(collection).createFieldIndex(fieldNameOf(field), normaliseFieldSchema(schema)),
    deleteFieldIndex: async (collection, field) => catalog.writer(collection).deleteFieldIndex(fieldNameOf(field)),
  };
}
