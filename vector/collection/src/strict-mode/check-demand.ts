// SPDX-License-Identifier: Apache-2.0
/**
 * Checks a demand against the strict mode of a collection. Refusals have the words of the published service:
 * https://github.com/qdrant/qdrant, `lib/collection/src/operations/verification`.
 */
import { type FieldSchema, type Filter, ServiceError, type StrictModeConfig } from '@sextant/contracts-vector';
import { conditionsOf, type SingleCondition } from '../filter/conditions.ts';
import type { CollectionFigures } from '../model/requests.ts';
import { JsonPathError, parseJsonPath } from '../payload/json-path.ts';
import type { Demand, DemandPart, Puts } from './demand.ts';
import { indexesForExpression, indexesForFilter, indexForGroups, type NeededIndex } from './needed-index.ts';

/** What the checks ask of a collection. Figures are asked for only where a limit is set. */
export type StrictModeSubject = {
  readonly name: string;
  readonly strictMode: StrictModeConfig;
  readonly fieldIndexes: ReadonlyMap<string, { readonly schema: FieldSchema }>;
  /** Links of a row in the graph of a vector, 0 where it has none; undefined for a vector that has no such graph, or that there is not. */
  readonly linksOf: (vector: string) => number | undefined;
  readonly figures: CollectionSize & { readonly residentMemoryPercent: number };
};

/** How much a collection holds. */
export type CollectionSize = Pick<CollectionFigures, 'points' | 'vectorBytes' | 'payloadBytes'>;

/** Whether the checks look at how much the collection holds. */
export function asksForSize({ parts }: Demand, strictMode: StrictModeConfig): boolean {
  const { max_points_count: points, max_collection_vector_size_bytes: vectors } = strictMode;
  const { max_collection_payload_size_bytes: payloads } = strictMode;
  return [points, vectors, payloads].some((limit) => limit != null) && parts.some(({ puts }) => puts !== undefined);
}

export function checkDemand(demand: Demand, subject: StrictModeSubject): void {
  const { strictMode } = subject;
  checkLimit(demand.timeout, strictMode.max_timeout, 'timeout');
  checkLimit(demand.batchOf, strictMode.search_max_batchsize, 'search batch size');
  for (const part of demand.parts) checkPart(part, demand.kind, subject);
}

function checkPart(part: DemandPart, kind: Demand['kind'], subject: StrictModeSubject): void {
  const { strictMode } = subject;
  if (part.puts !== undefined) checkPuts(part.puts, subject);
  if (part.fieldIndex !== undefined) checkFieldIndex(part.fieldIndex, subject);
  checkLimit(part.limit, strictMode.max_query_limit, 'limit');
  if (part.filter != null) checkFilter(part.filter, kind, subject);
  const idf = part.params?.idf;
  if (idf != null && idf !== 'global') checkFilter(idf.corpus, kind, subject);
  if (part.expression !== undefined && strictMode.unindexed_filtering_retrieve === false) {
    requireIndexes(indexesForExpression(part.expression), subject, 'Create an index for this key or use a different formula expression.');
  }
  if (part.groupBy !== undefined && strictMode.unindexed_filtering_retrieve === false) {
    requireIndexes([indexForGroups(part.groupBy)], subject, 'Create an index supporting `match` for this key.');
  }
  checkExactness(part, subject);
  checkLimit(part.params?.quantization?.oversampling, strictMode.search_max_oversampling, 'oversampling');
  checkLimit(part.params?.hnsw_ef, strictMode.search_max_hnsw_ef, 'hnsw_ef');
}

function checkFilter(filter: Filter, kind: Demand['kind'], subject: StrictModeSubject): void {
  const { strictMode } = subject;
  const isAllowed = kind === 'read' ? strictMode.unindexed_filtering_retrieve : strictMode.unindexed_filtering_update;
  if (isAllowed === false) requireIndexes(indexesForFilter(filter), subject, 'Create an index for this key or use a different filter.');
  const { filter_max_conditions: conditionsMax, condition_max_size: sizeMax } = strictMode;
  if (conditionsMax == null && sizeMax == null) return;
  const conditions = [...conditionsOf(filter)];
  if (conditionsMax != null && conditions.length > conditionsMax) {
    refuse(`Filter condition limit reached (${conditions.length} > ${conditionsMax})`, 'Reduce the amount of conditions of your filter.');
  }
  const size = conditions.reduce((largest, { condition }) => Math.max(largest, sizeOf(condition)), 0);
  if (sizeMax != null && size > sizeMax)
    refuse(`Condition size limit reached (${size} > ${sizeMax})`, 'Reduce the size of your condition.');
}

/** Items of a condition. */
function sizeOf(condition: SingleCondition): number {
  if ('has_id' in condition) return condition.has_id.length;
  if (!('key' in condition)) return 0;
  const { match, geo_polygon: polygon } = condition;
  const listed = match == null ? 0 : 'any' in match ? match.any.length : 'except' in match ? match.except.length : 0;
  const rings = polygon == null ? [] : [polygon.exterior, ...(polygon.interiors ?? [])];
  return Math.max(
    listed,
    rings.reduce((corners, { points }) => corners + points.length, 0),
  );
}

function requireIndexes(needed: Iterable<NeededIndex>, { fieldIndexes }: StrictModeSubject, help: string): void {
  for (const { key, anyOf, serves } of needed) {
    const index = fieldIndexes.get(canonical(key));
    if (index === undefined || !serves(index.schema)) {
      refuse(`Index required but not found for "${key}" of one of the following types: [${anyOf.join(', ')}]`, help);
    }
  }
}

/** The name under which an index of the key would be kept. A key that is no path is refused where it is used. */
function canonical(key: string): string {
  try {
    return parseJsonPath(key).text;
  } catch (error) {
    if (error instanceof JsonPathError) return key;
    throw error;
  }
}

function checkExactness({ exact, params, searched }: DemandPart, { strictMode, linksOf }: StrictModeSubject): void {
  if (strictMode.search_allow_exact !== false) return;
  if (exact === true || params?.exact === true) refuse('Exact search disabled!', 'Set exact=false.');
  if (searched === undefined || linksOf(searched) !== 0) return;
  const place = searched === '' ? '' : ` on '${searched}'`;
  refuse(
    `Request is forbidden${place} because global vector indexing is disabled (hnsw_config.m = 0)`,
    'Enable global vector indexing or enable strict mode `search_allow_exact` option',
  );
}

function checkPuts(puts: Puts, subject: StrictModeSubject): void {
  const { name, strictMode, figures } = subject;
  const { max_points_count: pointsMax, max_collection_vector_size_bytes: vectorMax } = strictMode;
  const { max_collection_payload_size_bytes: payloadMax, max_resident_memory_percent: memoryMax } = strictMode;
  if (puts.what !== 'payload') {
    checkLimit(puts.count, strictMode.upsert_max_batchsize, puts.what === 'points' ? 'upsert limit' : 'update limit');
    checkLengths(puts.lengths, strictMode);
    if (vectorMax != null && figures.vectorBytes >= vectorMax) full(`Max vector storage size limit of ${megabytes(vectorMax)}MB reached!`);
    if (pointsMax != null && figures.points >= pointsMax) full(`Max points count limit of ${pointsMax} reached!`);
  }
  if (payloadMax != null && figures.payloadBytes >= payloadMax)
    full(`Max payload storage size limit of ${megabytes(payloadMax)}MB reached!`);
  if (memoryMax == null) return;
  const used = figures.residentMemoryPercent;
  if (used > memoryMax) {
    throw new ServiceError('resident_memory_exhausted', { collection: name, used: Math.round(used), limit: memoryMax });
  }
}

function checkLengths(lengths: Iterable<{ kind: string; name: string; length: number }>, strictMode: StrictModeConfig): void {
  const { multivector_config: multi, sparse_config: sparse } = strictMode;
  if (multi == null && sparse == null) return;
  for (const { kind, name, length } of lengths) {
    const max = kind === 'multi' ? own(multi, name)?.max_vectors : own(sparse, name)?.max_length;
    if (max == null || length <= max) continue;
    if (kind === 'sparse') full(`Sparse vector '${name}' has a limit of ${max} indices, but ${length} were provided!`);
    full(`Multivector '${name}' has a limit of ${max} vectors, but ${length} were provided!`);
  }
}

function own<Value>(byName: { readonly [name: string]: Value } | null | undefined, name: string): Value | undefined {
  return byName != null && Object.hasOwn(byName, name) ? byName[name] : undefined;
}

/** An index that replaces one of the same field adds none. */
function checkFieldIndex(field: string, { strictMode, fieldIndexes }: StrictModeSubject): void {
  const { max_payload_index_count: max } = strictMode;
  if (max == null || fieldIndexes.size < max || fieldIndexes.has(canonical(field))) return;
  refuse(
    `Collection already has the maximum number of payload indices (${max})`,
    'Please delete an existing index before creating a new one.',
  );
}

function checkLimit(value: number | null | undefined, limit: number | null | undefined, name: string): void {
  if (value == null || limit == null || value <= limit) return;
  refuse(`Limit exceeded ${value} > ${limit} for "${name}"`, `Reduce the "${name}" parameter to or below ${limit}.`);
}

function refuse(reason: string, help: string): never {
  throw new ServiceError('strict_mode', { reason, help });
}

function full(reason: string): never {
  throw new ServiceError('collection_full', { reason });
}

function megabytes(bytes: number): number {
  return Math.fround(bytes / (1024 * 1024));
}
