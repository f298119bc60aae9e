/**
 * The engine by its definition: plain maps, brute force, nothing on disk. The model that tests compare the real one with;
 * filters as far as `naive-filter.ts` knows them.
 */
import {
  type CollectionInfo,
  type CreateCollection,
  type FacetHit,
  type FieldSchema,
  type Filter,
  type NearestRequest,
  type Payload,
  type PointId,
  type PointRecord,
  type PointSelector,
  type ScoredPoint,
  ServiceError,
  type UpdateResult,
  type VectorInput,
  type VectorParams,
  type WithPayload,
  type WithVector,
} from '@sextant/contracts-vector';
import type { JsonValue, Random } from '@sextant/foundation-std';
import type { Engine, PayloadChange } from '@sextant/vector-collection';
import { naiveMatch, valuesAt } from './naive-filter.ts';

type NaivePoint = { readonly id: PointId; payload: Payload; readonly vectors: Map<string, readonly number[]>; version: number };

type NaiveCollection = {
  config: CreateCollection;
  readonly spaces: ReadonlyMap<string, VectorParams>;
  readonly points: Map<PointId, NaivePoint>;
  readonly indexes: Map<string, FieldSchema>;
  operations: number;
};

export function createNaiveEngine({ random }: { readonly random: Random }): Engine {
  const collections = new Map<string, NaiveCollection>();

  function find(name: string): NaiveCollection {
    const collection = collections.get(name);
    if (collection === undefined) throw new ServiceError('collection_not_found', { collection: name });
    return collection;
  }

  /** Runs a change as the collection's next operation. */
  function write(name: string, change: (collection: NaiveCollection, version: number) => void): UpdateResult {
    const collection = find(name);
    const version = collection.operations + 1;
    change(collection, version);
    collection.operations = version;
    return { operation_id: version, status: 'Completed' };
  }

  function changePayloads(name: string, selector: PointSelector, change: (payload: Payload) => Payload): UpdateResult {
    return write(name, (collection, version) => {
      for (const point of selected(collection, selector)) {
        point.payload = change(point.payload);
        point.version = version;
      }
    });
  }

  return {
    listCollections: async () => [...collections.keys()].sort(),
    collectionExists: async (name) => collections.has(name),
    collectionInfo: async (name) => infoOf(find(name)),
    createCollection: async (name, config) => {
      if (collections.has(name)) throw new ServiceError('collection_exists', { collection: name });
      collections.set(name, { config, spaces: spacesOf(config), points: new Map(), indexes: new Map(), operations: 0 });
      return true;
    },
    updateCollection: async (name, changes) => {
      const collection = find(name);
      collection.config = { ...collection.config, metadata: { ...collection.config.metadata, ...changes.metadata } };
      return true;
    },
    deleteCollection: async (name) => collections.delete(name),
    upsert: async (name, points) =>
      write(name, (collection, version) => {
        const checked = points.map(({ id, vector, payload }) => ({
          id,
          payload: payload ?? {},
          vectors: vectorsOf(collection, vector),
          version,
        }));
        for (const point of checked) collection.points.set(point.id, point);
      }),
    deletePoints: async (name, selector) =>
      write(name, (collection) => {
        const ids = 'points' in selector ? selector.points : selected(collection, selector).map(({ id }) => id);
        for (const id of ids) collection.points.delete(id);
      }),
    updateVectors: async (name, points) =>
      write(name, (collection, version) => {
        const checked = points.map(({ id, vector }) => ({ point: existing(collection, id), vectors: vectorsOf(collection, vector) }));
        for (const { point, vectors } of checked) {
          for (const [space, values] of vectors) point.vectors.set(space, values);
          point.version = version;
        }
      }),
    deleteVectors: async (name, selector, names) =>
      write(name, (collection, version) => {
        for (const space of names) paramsOf(collection, space);
        for (const point of selected(collection, selector)) {
          for (const space of names) point.vectors.delete(space);
          point.version = version;
        }
      }),
    setPayload: async (name, { selector, payload, key }) =>
      changePayloads(name, selector, (old) => patched(old, key, (at) => merged(at, payload))),
    overwritePayload: async (name, { selector, payload, key }: PayloadChange) =>
      changePayloads(name, selector, (old) => patched(old, key, () => payload)),
    deletePayload: async (name, selector, keys) =>
      changePayloads(name, selector, (old) => Object.fromEntries(Object.entries(old).filter(([key]) => !keys.includes(key)))),
    clearPayload: async (name, selector) => changePayloads(name, selector, () => ({})),
    createFieldIndex: async (name, field, schema) => write(name, ({ indexes }) => void indexes.set(field, schema)),
    deleteFieldIndex: async (name, field) => write(name, ({ indexes }) => void indexes.delete(field)),

    retrieve: async (name, { ids, ...shown }) => {
      const { points } = find(name);
      return ids.flatMap((id) => points.get(id) ?? []).map((point) => recordOf(point, shown));
    },
    scroll: async (name, { offset, limit, filter, order_by: orderBy, ...shown }) => {
      const collection = find(name);
      const found = inOrder(matching(collection, filter)).filter(
        ({ id }) => offset === undefined || offset === null || compareIds(id, offset) >= 0,
      );
      if (orderBy) return { points: ordered(collection, name, found, orderBy, shown).slice(0, limit ?? 10), next_page_offset: null };
      const page = found.slice(0, limit ?? 10);
      return { points: page.map((point) => recordOf(point, shown)), next_page_offset: found[page.length]?.id ?? null };
    },
    count: async (name, { filter }) => matching(find(name), filter).length,
    facet: async (name, { key, limit, filter }) => facetOf(matching(find(name), filter), key).slice(0, limit ?? 10),
    nearest: async (name, request) => nearestOf(find(name), request),
    sample: async (name, { limit, filter, ...shown }) => {
      const pool = [...matching(find(name), filter)];
      const picked: NaivePoint[] = [];
      while (picked.length < limit && pool.length > 0) picked.push(...pool.splice(random.integer(pool.length), 1));
      return picked.map((point) => recordOf(point, shown));
    },
    close: async () => collections.clear(),
  };
}

function spacesOf({ vectors }: CreateCollection): ReadonlyMap<string, VectorParams> {
  return isParams(vectors) ? new Map([['', vectors]]) : new Map(Object.entries(vectors));
}

function isParams(vectors: CreateCollection['vectors']): vectors is VectorParams {
  return typeof vectors.size === 'number';
}

function paramsOf({ spaces }: NaiveCollection, name: string): VectorParams {
  const params = spaces.get(name);
  if (params === undefined) throw new ServiceError('vector_name_unknown', { vector: name });
  return params;
}

/** Float32, and of length one where the distance is Cosine, as vectors are stored. */
function stored(collection: NaiveCollection, name: string, values: readonly number[]): readonly number[] {
  const { size, distance } = paramsOf(collection, name);
  if (values.length !== size) throw new ServiceError('dimension_mismatch', { expected: size, actual: values.length });
  const norm = distance === 'Cosine' ? Math.hypot(...values) || 1 : 1;
  return values.map((value) => Math.fround(value / norm));
}

function vectorsOf(collection: NaiveCollection, input: VectorInput): Map<string, readonly number[]> {
  const named = Array.isArray(input) ? [['', input] as const] : Object.entries(input as { readonly [name: string]: readonly number[] });
  return new Map(named.map(([name, values]) => [name, stored(collection, name, values)]));
}

function existing({ points }: NaiveCollection, id: PointId): NaivePoint {
  const point = points.get(id);
  if (point === undefined) throw new ServiceError('point_not_found', { id: String(id) });
  return point;
}

function selected(collection: NaiveCollection, selector: PointSelector): readonly NaivePoint[] {
  return 'points' in selector ? selector.points.map((id) => existing(collection, id)) : matching(collection, selector.filter);
}

function matching({ points }: NaiveCollection, filter: Filter | null | undefined): readonly NaivePoint[] {
  const all = [...points.values()];
  return filter ? all.filter(({ id, payload, vectors }) => naiveMatch(filter, { id, payload, vectorNames: [...vectors.keys()] })) : all;
}

/** Numbers ascending, then UUIDs ascending. */
function compareIds(left: PointId, right: PointId): number {
  const [leftIsText, rightIsText] = [typeof left === 'string', typeof right === 'string'];
  if (leftIsText !== rightIsText) return leftIsText ? 1 : -1;
  return left < right ? -1 : Number(left > right);
}

function inOrder(points: readonly NaivePoint[]): readonly NaivePoint[] {
  return [...points].sort((left, right) => compareIds(left.id, right.id));
}

type Shown = { readonly with_payload?: WithPayload | null; readonly with_vector?: WithVector | null };

function recordOf(point: NaivePoint, { with_payload: withPayload, with_vector: withVector }: Shown): PointRecord {
  return {
    id: point.id,
    ...(withPayload ? { payload: payloadOf(point.payload, withPayload) } : {}),
    ...(withVector ? { vector: vectorOf(point, withVector) } : {}),
  };
}

function payloadOf(payload: Payload, shown: WithPayload): Payload {
  if (typeof shown === 'boolean') return payload;
  const keep = 'include' in shown ? shown.include : 'exclude' in shown ? undefined : shown;
  const drop = 'exclude' in shown ? shown.exclude : [];
  return Object.fromEntries(Object.entries(payload).filter(([key]) => (keep === undefined || keep.includes(key)) && !drop.includes(key)));
}

function vectorOf({ vectors }: NaivePoint, shown: WithVector): NonNullable<PointRecord['vector']> {
  const unnamed = vectors.get('');
  if (unnamed !== undefined) return unnamed;
  return Object.fromEntries([...vectors].filter(([name]) => typeof shown === 'boolean' || shown.includes(name)));
}

function nearestOf(collection: NaiveCollection, request: NearestRequest): readonly ScoredPoint[] {
  const { vector, using = '', filter, limit, offset, score_threshold: threshold } = request;
  const { distance } = paramsOf(collection, using);
  const source = 'id' in vector ? existing(collection, vector.id) : undefined;
  const query = 'id' in vector ? source?.vectors.get(using) : stored(collection, using, vector);
  if (query === undefined) throw new ServiceError('vector_name_unknown', { vector: using });
  const descending = distance === 'Cosine' || distance === 'Dot';
  const scored = matching(collection, filter).flatMap((point) => {
    const values = point.vectors.get(using);
    return values === undefined || point === source ? [] : [{ point, score: Math.fround(scoreOf(distance, query, values)) }];
  });
  return scored
    .filter(({ score }) => threshold === undefined || threshold === null || (descending ? score > threshold : score < threshold))
    .sort((left, right) => (descending ? right.score - left.score : left.score - right.score) || compareIds(left.point.id, right.point.id))
    .slice(offset ?? 0, (offset ?? 0) + limit)
    .map(({ point, score }) => ({ ...recordOf(point, request), version: point.version, score }));
}

function scoreOf(distance: VectorParams['distance'], left: readonly number[], right: readonly number[]): number {
  const sum = (term: (a: number, b: number) => number) => left.reduce((total, value, index) => total + term(value, right[index] ?? 0), 0);
  switch (distance) {
    case 'Cosine':
    case 'Dot':
      return sum((a, b) => a * b);
    case 'Euclid':
      return Math.sqrt(sum((a, b) => (a - b) ** 2));
    case 'Manhattan':
      return sum((a, b) => Math.abs(a - b));
  }
}

type OrderBy = NonNullable<Parameters<Engine['scroll']>[1]['order_by']>;

function ordered(
  collection: NaiveCollection,
  name: string,
  points: readonly NaivePoint[],
  orderBy: OrderBy,
  shown: Shown,
): readonly PointRecord[] {
  const { key, direction, start_from: start } = typeof orderBy === 'string' ? { key: orderBy } : orderBy;
  const type = collection.indexes.get(key)?.type;
  if (type !== 'integer' && type !== 'float' && type !== 'datetime')
    throw new ServiceError('range_index_required', { key, collection: name });
  const sign = direction === 'desc' ? -1 : 1;
  return points
    .flatMap((point) => numbersAt(point, key).map((value) => ({ point, value })))
    .filter(({ value }) => start === undefined || start === null || sign * (value - Number(start)) >= 0)
    .sort((left, right) => sign * (left.value - right.value) || compareIds(left.point.id, right.point.id))
    .map(({ point, value }) => ({ ...recordOf(point, shown), order_value: value }));
}

function numbersAt({ payload }: NaivePoint, key: string): readonly number[] {
  return valuesAt(key, payload)
    .flat()
    .filter((value) => typeof value === 'number');
}

function facetOf(points: readonly NaivePoint[], key: string): readonly FacetHit[] {
  const counts = new Map<FacetHit['value'], number>();
  for (const { payload } of points) {
    for (const value of new Set(valuesAt(key, payload).flat())) {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1));
}

/** Shallow; a null removes its key. */
function merged(payload: Payload, patch: Payload): Payload {
  return Object.fromEntries(Object.entries({ ...payload, ...patch }).filter(([key]) => patch[key] !== null));
}

/** At the top, or at a path of plain keys, whose objects come into being. */
function patched(payload: Payload, path: string | undefined, change: (at: Payload) => Payload): Payload {
  if (path === undefined) return change(payload);
  const [key = '', ...rest] = path.split('.');
  const inner = payload[key];
  return { ...payload, [key]: patched(isObject(inner) ? inner : {}, rest.length === 0 ? undefined : rest.join('.'), change) };
}

function isObject(value: JsonValue | undefined): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function infoOf({ config, points, indexes }: NaiveCollection): CollectionInfo {
  const { vectors, hnsw_config, optimizers_config, metadata } = config;
  return {
    status: 'green',
    optimizer_status: 'ok',
    indexed_vectors_count: 0,
    points_count: points.size,
    segments_count: 1,
    config: { params: { vectors }, hnsw_config, optimizer_config: optimizers_config, metadata },
    payload_schema: Object.fromEntries(
      [...indexes].map(([field, params]) => [field, { data_type: params.type, params, points: points.size }]),
    ),
    update_queue: { length: 0 },
  };
}
