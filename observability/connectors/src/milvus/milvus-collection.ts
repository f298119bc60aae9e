// SPDX-License-Identifier: Apache-2.0
/** A collection of Milvus: pages in the order of its primary key. */
import { stringifyJson } from '@sextant/foundation-std';
import { SourceError, type VectorCollectionAccess, type VectorPoint } from '../connector.ts';
import type { MilvusField, MilvusIndex, MilvusRow, MilvusSession } from './milvus-client.ts';
import { type MilvusMetric, metricOf, nearestInMilvus } from './milvus-search.ts';

const PAGE_ROWS_MAX = 1000;
/** What the vectors of a page may take, at so many bytes for each component. */
const PAGE_VECTOR_BYTES = 8 * 1024 ** 2;
const COMPONENT_BYTES = 4;
/** The payload of one point. */
const PAYLOAD_BYTES_MAX = 1024 ** 2;
/** The others are bytes, or sparse. */
const MEASURED = 'FloatVector';
/** Of keys; the others are integers. */
const TEXT = 'VarChar';
/** Exact ones read the collection once, however many there are. */
const SEARCHES_AT_ONCE = 200;
/** Where fields that no schema names are. */
const DYNAMIC = '$meta';

type Schema = {
  readonly key: MilvusField;
  readonly vectors: { readonly [name: string]: number };
  readonly fields: ReadonlyMap<string, MilvusField>;
};

export async function milvusCollection(session: MilvusSession, collection: string): Promise<VectorCollectionAccess> {
  const schema = await readSchema(session, collection);
  const vectors = Object.keys(schema.vectors);
  const metrics = new Map((await indexesOf(session, collection)).flatMap(metricOfIndex).filter(([vector]) => vectors.includes(vector)));
  const key = { name: schema.key.name, isText: schema.key.data_type === TEXT };
  const fields = new Set(schema.fields.keys());
  return {
    info: async () => ({
      points: await countOf(session, collection),
      indexed: await indexedOf(session, collection, vectors),
      dimensions: schema.vectors,
    }),
    points: ({ signal }) => pagesOf(session, { collection, schema, signal }),
    searchesAtOnce: SEARCHES_AT_ONCE,
    ...(vectors.every((vector) => metrics.has(vector)) && {
      nearest: (searches, { signal }) => {
        const pages = () => pagesOf(session, { collection, schema, signal });
        return nearestInMilvus({ session, collection, key, fields, metrics, pages }, searches, signal);
      },
    }),
  };
}

async function readSchema(session: MilvusSession, collection: string): Promise<Schema> {
  const { schema } = await session.call((client) => client.describeCollection({ collection_name: collection }));
  const fields = schema?.fields ?? [];
  const key = fields.find(({ is_primary_key: isKey }) => isKey);
  const vectors = Object.fromEntries(fields.filter(({ data_type: type }) => type === MEASURED).map(({ name, dim }) => [name, Number(dim)]));
  if (key === undefined || Object.keys(vectors).length === 0) {
    throw new SourceError(`${collection} has no field of type ${MEASURED}; vectors of other types are not measured`, {
      member: 'payload.collection',
    });
  }
  return { key, vectors, fields: new Map(fields.map((field) => [field.name, field])) };
}

async function countOf(session: MilvusSession, collection: string): Promise<number> {
  const { data } = await session.call((client) => client.query({ collection_name: collection, filter: '', output_fields: ['count(*)'] }));
  return Number(data[0]?.['count(*)'] ?? 0);
}

/** Rows that all indexes have; undefined where the server does not say. */
async function indexedOf(session: MilvusSession, collection: string, vectors: readonly string[]): Promise<number | undefined> {
  const indexes = await indexesOf(session, collection);
  const rows = vectors.map((vector) => Number(indexes.find(({ field_name: field }) => field === vector)?.indexed_rows ?? Number.NaN));
  const least = Math.min(...rows);
  return Number.isNaN(least) ? undefined : least;
}

async function indexesOf(session: MilvusSession, collection: string): Promise<readonly MilvusIndex[]> {
  try {
    return (await session.call((client) => client.describeIndex({ collection_name: collection }))).index_descriptions;
  } catch (error) {
    // A collection without an index is answered as an error.
    if (error instanceof SourceError) return [];
    throw error;
  }
}

function metricOfIndex({ field_name: field, params }: MilvusIndex): readonly (readonly [string, MilvusMetric])[] {
  const metric = metricOf(params.find(({ key }) => key === 'metric_type')?.value);
  return metric === undefined ? [] : [[field, metric]];
}

type Paging = { readonly collection: string; readonly schema: Schema; readonly signal: AbortSignal | undefined };

async function* pagesOf(session: MilvusSession, { collection, schema, signal }: Paging): AsyncGenerator<readonly VectorPoint[]> {
  const components = Object.values(schema.vectors).reduce((sum, size) => sum + size, 1);
  const limit = Math.max(1, Math.min(PAGE_ROWS_MAX, Math.floor(PAGE_VECTOR_BYTES / (components * COMPONENT_BYTES))));
  const isText = schema.key.data_type === TEXT;
  // Keys may be negative; the empty text is the least.
  const beyond = (last: string | undefined) => {
    if (last === undefined) return isText ? `${schema.key.name} >= ""` : `${schema.key.name} >= -9223372036854775808`;
    return `${schema.key.name} > ${isText ? JSON.stringify(last) : last}`;
  };
  let last: string | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const filter = beyond(last);
    const { data } = await session.call((client) =>
      // As the iterator of the Python client asks: the rows of the page are then the first ones by their key.
      client.query({
        collection_name: collection,
        filter,
        output_fields: ['*'],
        limit,
        params: { iterator: 'True', reduce_stop_for_best: 'True' },
      }),
    );
    const points = data.map((row) => pointOf(row, collection, schema));
    for (const { id } of points) {
      if (last !== undefined && !isAfter(last, id, isText)) {
        throw new SourceError(
          `${collection}: the server does not answer in the order of its keys (${id} after ${last}), so points could be missed`,
          {
            member: 'payload.collection',
          },
        );
      }
      last = id;
    }
    if (points.length > 0) yield points;
    if (points.length < limit) return;
  }
}

function isAfter(last: string, next: string, isText: boolean): boolean {
  return isText ? Buffer.compare(Buffer.from(last), Buffer.from(next)) < 0 : BigInt(last) < BigInt(next);
}

function pointOf(row: MilvusRow, collection: string, { key, vectors, fields }: Schema): VectorPoint {
  const id = String(row[key.name]);
  const dynamic = row[DYNAMIC];
  const payload: { [member: string]: unknown } = typeof dynamic === 'object' && dynamic !== null ? { ...dynamic } : {};
  const found: { [vector: string]: readonly (number | null)[] } = {};
  for (const [name, value] of Object.entries(row)) {
    const field = fields.get(name);
    if (name === DYNAMIC || field === undefined) continue;
    if (Object.hasOwn(vectors, name)) {
      if (Array.isArray(value))
        found[name] = value.map((component: unknown) => (typeof component === 'number' && !Number.isNaN(component) ? component : null));
    } else if (!field.data_type.endsWith('Vector')) {
      payload[name] = field.data_type === 'Int64' ? integerOf(value) : value;
    }
  }
  if (stringifyJson(payload).length > PAYLOAD_BYTES_MAX) {
    throw new SourceError(`${collection}: point ${id} has more than ${PAYLOAD_BYTES_MAX} bytes in addition to its vectors`, {
      member: 'payload.collection',
    });
  }
  return { id, payload, vectors: found };
}

/** The client answers integers of 64 bits as text. */
function integerOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}
