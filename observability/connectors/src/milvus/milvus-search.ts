// SPDX-License-Identifier: Apache-2.0
/**
 * The nearest points of a collection of Milvus. A search there cannot leave its index out, so exact ones read all points once and compare them here: many
 * searches go together. The points that the index answers are compared here too, for the server rounds its scores otherwise.
 */
import { type NearestPoint, type NearestSearch, SourceError, type VectorPoint } from '../connector.ts';
import type { MilvusRow, MilvusSession } from './milvus-client.ts';

/** As an index names them: https://milvus.io/docs/metric.md */
const METRICS = ['L2', 'IP', 'COSINE'] as const;
export type MilvusMetric = (typeof METRICS)[number];

/** Keys in one filter. */
const KEYS_MAX = 100;

export type Searched = {
  readonly session: MilvusSession;
  readonly collection: string;
  readonly key: { readonly name: string; readonly isText: boolean };
  /** Of the schema; others are dynamic. */
  readonly fields: ReadonlySet<string>;
  /** By name of the vector that has an index. */
  readonly metrics: ReadonlyMap<string, MilvusMetric>;
  readonly pages: () => AsyncIterable<readonly VectorPoint[]>;
};

export function metricOf(name: unknown): MilvusMetric | undefined {
  return METRICS.find((metric) => metric === name);
}

export async function nearestInMilvus(
  searched: Searched,
  searches: readonly NearestSearch[],
  signal: AbortSignal | undefined,
): Promise<readonly (readonly NearestPoint[])[]> {
  const asked: Asked[] = [];
  for (const search of searches) {
    const metric = searched.metrics.get(search.vector);
    if (metric === undefined) throw new SourceError(`field ${search.vector} has no index`, { member: 'payload.collection' });
    asked.push({ search, metric, query: [], best: [] });
  }
  await readQueries(searched, asked, signal);
  const exact = asked.filter(({ search }) => search.isExact);
  if (exact.length > 0) await compareAll(searched, exact, signal);
  for (const each of asked) {
    if (!each.search.isExact && each.query.length > 0) await askIndex(searched, each, signal);
  }
  return asked.map(({ best }) => best);
}

type Asked = {
  readonly search: NearestSearch;
  readonly metric: MilvusMetric;
  /** Empty where the point is gone. */
  query: readonly number[];
  /** Nearest first. */
  readonly best: NearestPoint[];
};

async function readQueries({ session, collection, key }: Searched, asked: readonly Asked[], signal: AbortSignal | undefined) {
  const vectors = [...new Set(asked.map(({ search }) => search.vector))];
  const ids = [...new Set(asked.map(({ search }) => search.id))];
  for (let start = 0; start < ids.length; start += KEYS_MAX) {
    signal?.throwIfAborted();
    const chunk = ids.slice(start, start + KEYS_MAX);
    const filter = `${key.name} in [${chunk.map((id) => literalOf(id, key.isText)).join(', ')}]`;
    const { data } = await session.call((client) =>
      client.query({ collection_name: collection, filter, output_fields: [key.name, ...vectors], limit: KEYS_MAX }),
    );
    const rows = new Map(data.map((row) => [String(row[key.name]), row]));
    for (const each of asked) {
      const row = rows.get(each.search.id);
      if (row !== undefined) each.query = vectorOf(row, each.search.vector);
    }
  }
}

async function compareAll({ pages }: Searched, asked: readonly Asked[], signal: AbortSignal | undefined): Promise<void> {
  for await (const page of pages()) {
    signal?.throwIfAborted();
    for (const { id, payload, vectors } of page) {
      for (const { search, metric, query, best } of asked) {
        if (query.length === 0 || id === search.id) continue;
        if (search.where !== undefined && payload[search.where.member] !== search.where.value) continue;
        insert(best, { id, score: scoreOf(metric, query, vectors[search.vector] ?? []) }, { metric, limit: search.limit });
      }
    }
  }
}

async function askIndex({ session, collection, key, fields }: Searched, { search, metric, query, best }: Asked, signal?: AbortSignal) {
  signal?.throwIfAborted();
  const { id, vector, limit, where } = search;
  const own = `${key.name} != ${literalOf(id, key.isText)}`;
  const { results } = await session.call((client) =>
    client.search({
      collection_name: collection,
      anns_field: vector,
      data: [...query],
      limit,
      metric_type: metric,
      filter: where === undefined ? own : `${own} and ${conditionOf(where, fields)}`,
      output_fields: [key.name, vector],
    }),
  );
  for (const row of results)
    insert(best, { id: String(row[key.name]), score: scoreOf(metric, query, vectorOf(row, vector)) }, { metric, limit });
}

function conditionOf({ member, value }: NonNullable<NearestSearch['where']>, fields: ReadonlySet<string>): string {
  const left = fields.has(member) ? member : `$meta[${JSON.stringify(member)}]`;
  return `${left} == ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`;
}

function literalOf(id: string, isText: boolean): string {
  return isText ? JSON.stringify(id) : id;
}

function vectorOf(row: MilvusRow, name: string): readonly number[] {
  const value = row[name];
  return Array.isArray(value) ? value.map(Number) : [];
}

/** Not a number where one of them has not all components, or a cosine has no direction. */
function scoreOf(metric: MilvusMetric, query: readonly number[], vector: readonly (number | null)[]): number {
  if (vector.length !== query.length) return Number.NaN;
  let [product, square, ownSquare, distance] = [0, 0, 0, 0];
  for (const [at, one] of query.entries()) {
    const other = vector[at] ?? Number.NaN;
    product += one * other;
    square += other * other;
    ownSquare += one * one;
    distance += (one - other) ** 2;
  }
  if (metric === 'L2') return distance;
  return metric === 'IP' ? product : product / Math.sqrt(square * ownSquare);
}

function insert(best: NearestPoint[], point: NearestPoint, { metric, limit }: { readonly metric: MilvusMetric; readonly limit: number }) {
  if (Number.isNaN(point.score)) return;
  const isNearer = (one: number, other: number) => (metric === 'L2' ? one < other : one > other);
  const last = best.at(-1);
  if (best.length === limit && last !== undefined && !isNearer(point.score, last.score)) return;
  const place = best.findIndex(({ score }) => isNearer(point.score, score));
  best.splice(place === -1 ? best.length : place, 0, point);
  if (best.length > limit) best.pop();
}
