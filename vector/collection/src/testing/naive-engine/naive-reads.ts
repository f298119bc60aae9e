// SPDX-License-Identifier: Apache-2.0
/** The reads of the naive engine: every point is looked at, every distance worked out. For tests. */

import {
  type DenseVector,
  type Distance,
  type NearestRequest,
  type PointRecord,
  ServiceError,
  type VectorParams,
} from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { isPlainSchema } from '../../field-index/schema.ts';
import { vectorLabel } from '../../model/collection-config.ts';
import {
  denseFor,
  hasVector,
  returnedVectors,
  type SpaceSchema,
  schemaNamed,
  storedVector,
  type VectorSchemas,
} from '../../model/vectors.ts';
import { parseRequestPath } from '../../payload/payload-change.ts';
import { compileSelection } from '../../payload/payload-selection.ts';
import type { RecordShape } from '../../reads/points/records.ts';
import type { CoreEngine } from './core-engine.ts';
import { compareIds, type KeptCollection, type KeptPoint } from './naive-collection.ts';
import { type Field, facetOf, orderedBy, valuesOf } from './naive-fields.ts';

type Reads = Pick<CoreEngine, 'collectionInfo' | 'retrieve' | 'scroll' | 'count' | 'facet' | 'nearest' | 'sample'>;

export function naiveReads(collectionOf: (name: string) => KeptCollection): Reads {
  return {
    collectionInfo: async (name) => {
      const { config, points, fields } = collectionOf(name);
      const all = [...points.values()];
      return {
        status: 'green',
        optimizer_status: 'ok',
        indexed_vectors_count: all.reduce((sum, { vectors }) => sum + vectors.dense.size + vectors.sparse.size, 0),
        points_count: points.size,
        segments_count: 1,
        config,
        payload_schema: Object.fromEntries(
          [...fields].map(([field, schema]) => {
            const having = all.filter((point) => valuesOf({ field, schema }, point).length > 0);
            return [field, { data_type: schema.type, ...(isPlainSchema(schema) ? {} : { params: schema }), points: having.length }];
          }),
        ),
        update_queue: { length: 0 },
      };
    },
    retrieve: async (name, { ids, with_payload, with_vector }) => {
      const collection = collectionOf(name);
      const record = recordMaker(collection.schemas, { with_payload: with_payload ?? true, with_vector });
      return ids.flatMap((id) => {
        const point = collection.points.get(String(id));
        return point === undefined ? [] : [record(point)];
      });
    },
    scroll: async (name, { filter, limit, offset, order_by, with_payload, with_vector }) => {
      const collection = collectionOf(name);
      const matching = collection.matching(filter);
      const record = recordMaker(collection.schemas, { with_payload: with_payload ?? true, with_vector });
      const count = limit ?? 10;
      if (order_by == null) {
        const from = matching.filter(({ id }) => offset == null || compareIds(id, offset) >= 0);
        return { points: from.slice(0, count).map(record), next_page_offset: from[count]?.id ?? null };
      }
      if (offset != null) {
        throw new ServiceError('invalid_request', {
          reason: 'offset: cannot be used together with order_by; continue with order_by.start_from instead',
        });
      }
      const order = typeof order_by === 'string' ? { key: order_by } : order_by;
      const field = fieldOf(collection, order.key, 'order_by.key');
      if (field === undefined) throw new ServiceError('range_index_required', { key: order.key, collection: name });
      const ordered = orderedBy(field, order, matching, name).slice(0, count);
      return { points: ordered.map(({ point, value }) => ({ ...record(point), order_value: value })), next_page_offset: null };
    },
    count: async (name, { filter }) => collectionOf(name).matching(filter).length,
    facet: async (name, { key, filter, limit }) => {
      const collection = collectionOf(name);
      const field = fieldOf(collection, key, 'key');
      if (field === undefined) throw new ServiceError('index_required', { key, types: 'keyword, integer, bool, uuid' });
      return facetOf(field, collection.matching(filter), limit ?? 10);
    },
    nearest: async (name, request) => nearest(collectionOf(name), request),
    /** Drawn from the front. */
    sample: async (name, { having, filter, limit, ...shape }) => {
      const collection = collectionOf(name);
      const vector = having === undefined ? undefined : schemaNamed(collection.schemas, having);
      const matching = collection.matching(filter);
      const record = recordMaker(collection.schemas, shape);
      const storageOf = ({ vectors }: KeptPoint) => ({
        hasVector: (ordinal: number) => vectors.dense.has(ordinal),
        hasSparseVector: (ordinal: number) => vectors.sparse.has(ordinal),
      });
      return matching
        .filter((point) => vector === undefined || hasVector(storageOf(point), 0, vector))
        .slice(0, limit)
        .map(record);
    },
  };
}

function nearest(collection: KeptCollection, request: NearestRequest) {
  const { kind, schema } = schemaNamed(collection.schemas, request.using);
  assert(kind === 'dense', 'the naive engine searches dense vectors');
  const { distance } = schema.params;
  const query = queryVector(collection, schema, request.vector);
  const matching = collection.matching(request.filter);
  const record = recordMaker(collection.schemas, request);
  const isFarther = distance === 'Euclid' || distance === 'Manhattan';
  const { vector, score_threshold: threshold } = request;
  return matching
    .flatMap((point) => {
      const own = point.vectors.dense.get(schema.ordinal);
      const isQuery = 'id' in vector && String(vector.id) === String(point.id);
      return own === undefined || isQuery ? [] : [{ point, score: scoreOf(schema.params, query, Array.from(own)) }];
    })
    .filter(({ score }) => threshold == null || (isFarther ? score < threshold : score > threshold))
    .sort((a, b) => (isFarther ? a.score - b.score : b.score - a.score))
    .slice(request.offset ?? 0, (request.offset ?? 0) + request.limit)
    .map(({ point, score }) => ({ ...record(point), version: point.version, score }));
}

function queryVector(collection: KeptCollection, { name, ordinal, params }: SpaceSchema, vector: NearestRequest['vector']): DenseVector {
  if (!('id' in vector)) return Array.from(storedVector(params, denseFor(name, vector)));
  const own = collection.get(vector.id).vectors.dense.get(ordinal);
  if (own !== undefined) return Array.from(own);
  throw new ServiceError('invalid_request', { reason: `query: point ${vector.id} has no vector ${vectorLabel(name)}` });
}

/** As the distances are defined; vectors for Cosine were normalised when they were stored, but for bytes. */
function scoreOf({ distance, datatype }: VectorParams, a: DenseVector, b: DenseVector): number {
  const sum = (term: (x: number, y: number) => number) => Array.from(a).reduce((total, x, at) => total + term(x, b[at] ?? 0), 0);
  const scores: Record<Distance, () => number> = {
    Dot: () => sum((x, y) => x * y),
    Euclid: () => Math.sqrt(sum((x, y) => (x - y) ** 2)),
    Manhattan: () => sum((x, y) => Math.abs(x - y)),
    Cosine: () => sum((x, y) => x * y) / (datatype === 'uint8' ? Math.hypot(...a) * Math.hypot(...b) || 1 : 1),
  };
  // Zero has no sign here.
  return Math.fround(scores[distance]()) + 0;
}

function fieldOf({ fields }: KeptCollection, key: string, member: string): Field | undefined {
  const field = parseRequestPath(key, member).text;
  const schema = fields.get(field);
  return schema && { field, schema };
}

function recordMaker(schemas: VectorSchemas, { with_payload, with_vector }: RecordShape): (point: KeptPoint) => PointRecord {
  const select = compileSelection(with_payload ?? false);
  const wanted = with_vector ?? false;
  const named = typeof wanted === 'boolean' ? undefined : new Set(wanted.map((name) => schemaNamed(schemas, name).schema));
  const returned: VectorSchemas =
    named === undefined
      ? schemas
      : {
          spaces: schemas.spaces.filter((schema) => named.has(schema)),
          multi: schemas.multi.filter((schema) => named.has(schema)),
          sparse: schemas.sparse.filter((schema) => named.has(schema)),
        };
  return ({ id, payload, vectors: { dense, sparse } }) => {
    const selected = select(payload);
    const source = { vector: (ordinal: number) => dense.get(ordinal), sparseVector: (ordinal: number) => sparse.get(ordinal) };
    return {
      id,
      ...(selected === undefined ? {} : { payload: selected }),
      ...(wanted === false ? {} : { vector: returnedVectors(returned, source) }),
    };
  };
}
