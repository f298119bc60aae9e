// SPDX-License-Identifier: Apache-2.0
/**
 * Compares the records of a collection of unknown origin with each other and with the contract: what passes can be opened, loaded and served as if
 * it had been written here. Runs in the process that took the records in.
 */
import { setImmediate } from 'node:timers/promises';
import type { VectorParams } from '@sextant/contracts-vector';
import { endpoints, fits } from '@sextant/contracts-vector/schemas';
import { importCollection, openCollectionStorage, type StorageReader, type StoredPoint } from '@sextant/vector-storage';
import { fieldNameOf, normaliseFieldSchema } from '../field-index/schema.ts';
import { type CollectionConfig, requestFromConfig, vectorsByName } from '../model/collection-config.ts';
import { CONFIG, FIELD_INDEXES, INPUT_NORMS } from '../model/collection-documents.ts';
import { datatypeOf } from '../model/datatype.ts';
import type { ExpectedPart } from '../model/shards.ts';
import { type VectorSchemas, vectorSchemasOf, wasWritten } from '../model/vectors.ts';
import type { FieldIndexDocument } from '../writes/field-indexes.ts';
import type { ImportReport, ImportTask } from './import-snapshot.ts';

/** What is wrong with a collection; the message completes "the file is not usable: ". */
export class UnusableCollectionError extends Error {
  override readonly name = 'UnusableCollectionError';
}

/** Rows that are looked at before others have their turn, and before a word about progress. */
const ROWS_PER_TURN = 1024;

export type CheckOptions = {
  readonly part: ExpectedPart;
  readonly onProgress?: (rows: number) => void;
};

/** What an import says while it goes on. */
type Progress = Extract<ImportReport, { readonly kind: 'copied' | 'checked' }>;

/** Imports the data of a snapshot, and refuses what no collection could have written. */
export async function importAndCheck(
  { file, directory, part }: ImportTask,
  report: (progress: Progress) => void = () => undefined,
): Promise<void> {
  await importCollection({ file, directory, onProgress: (bytes) => report({ kind: 'copied', bytes }) });
  const storage = openCollectionStorage({ directory });
  try {
    await checkCollection(storage, { part, onProgress: (rows) => report({ kind: 'checked', rows }) });
  } finally {
    storage.close();
  }
}

export async function checkCollection(storage: StorageReader, { part, onProgress = () => undefined }: CheckOptions): Promise<void> {
  const config = checkedConfig(storage.document(CONFIG), part);
  checkFieldIndexes(storage.document(FIELD_INDEXES));
  checkInputNorms(storage.document(INPUT_NORMS));
  const sequence = storage.sequence;
  if (!Number.isSafeInteger(sequence) || sequence < 0) refuse('it lacks the number of its last operation');
  const schemas = vectorSchemasOf(config);
  const { spaces, multi, sparse } = schemas;
  await checkPoints(storage, schemas, onProgress);
  for (const { ordinal, params } of spaces) await checkVectors(storage, { ordinal, params }, (length) => length === params.size);
  // Several vectors are stored one after the other.
  for (const { ordinal, params } of multi) {
    await checkVectors(storage, { ordinal, params }, (length) => length > 0 && length % params.size === 0);
  }
  for (const { ordinal } of sparse) await checkSparseVectors(storage, ordinal);
}

function checkInputNorms(document: unknown): void {
  if (document === undefined) return;
  const isCount = (entry: unknown) => Array.isArray(entry) && entry.length === 2 && entry.every(Number.isSafeInteger) && entry[1] > 0;
  const isFine = isObject(document) && Object.values(document).every((counts) => Array.isArray(counts) && counts.every(isCount));
  if (!isFine) refuse('its counts of vector lengths are invalid');
}

/** The configuration is that of a collection that could be created. */
function checkedConfig(document: unknown, expected: ExpectedPart): CollectionConfig {
  if (!isObject(document) || !isObject(document.params)) return refuse('it has no configuration');
  if (!fits(endpoints.create_collection.body, requestFromConfig({ ...document, params: document.params })))
    refuse('its configuration is not valid for a collection');
  // What a collection can be created with has every member that is read of it, once the defaults of the numbers are there.
  const config = document as unknown as CollectionConfig;
  const { m, ef_construct, full_scan_threshold } = config.hnsw_config ?? {};
  const { deleted_threshold, vacuum_min_vector_number, indexing_threshold } = config.optimizer_config ?? {};
  const numbers = [m, ef_construct, full_scan_threshold, deleted_threshold, vacuum_min_vector_number, indexing_threshold];
  if (!isObject(config.params.vectors) || numbers.some((value) => typeof value !== 'number')) refuse('its configuration lacks members');
  checkPart(config, expected);
  checkPlaces(config);
  return config;
}

function checkPart({ placement, shard }: CollectionConfig, expected: ExpectedPart): void {
  const isPart = placement !== undefined || shard !== undefined;
  if (expected === 'whole' && isPart) refuse('it is a shard of a collection');
  if (expected === 'definition' && placement === undefined) refuse('it is not a sharded collection');
  if (typeof expected === 'string') return;
  const { collection, index, count, key } = expected.shard;
  const isExpected = shard?.collection === collection && shard.index === index && shard.count === count && shard.key === key;
  if (!isExpected) refuse('it is not the requested shard');
}

/** Each vector lies under a number of its own. */
function checkPlaces({ params, places }: CollectionConfig): void {
  if (places === undefined) return;
  const names = { dense: [...vectorsByName(params.vectors).keys()], sparse: Object.keys(params.sparse_vectors ?? {}) };
  for (const kind of ['dense', 'sparse'] as const) {
    const { ordinals, leaving, since = {} } = places[kind] ?? {};
    if (!isObject(ordinals) || !Array.isArray(leaving) || !isObject(since)) refuse('its list of vectors is damaged');
    if (!Object.values(since).every((operation) => Number.isSafeInteger(operation))) refuse('its list of vectors is damaged');
    const numbers: readonly unknown[] = [...names[kind].map((name) => ordinals[name]), ...leaving];
    const areNumbers = numbers.every((number) => Number.isInteger(number) && Number(number) >= 0 && Number(number) <= ORDINAL_MAX);
    if (!areNumbers || new Set(numbers).size !== numbers.length) refuse('its list of vectors is damaged');
  }
}

/** As storage numbers them, in 16 bits. */
const ORDINAL_MAX = 65_535;

function checkFieldIndexes(document: unknown): void {
  if (document === undefined) return;
  if (!isObject(document)) refuse('its list of field indexes is damaged');
  const { nextOrdinal, indexes } = document as FieldIndexDocument;
  if (!Number.isSafeInteger(nextOrdinal) || !Array.isArray(indexes)) refuse('its list of field indexes is damaged');
  const ordinals = new Set<number>();
  for (const { field, ordinal, schema } of indexes as FieldIndexDocument['indexes']) {
    const isSchema = isObject(schema) && fits(endpoints.create_field_index.body, { field_name: field, field_schema: schema });
    const isNumbered = Number.isInteger(ordinal) && ordinal >= 0 && ordinal < nextOrdinal && !ordinals.has(ordinal);
    if (!isSchema || !isNumbered || fieldNameOf(field) !== field) refuse('one of its field indexes has an invalid configuration');
    normaliseFieldSchema(schema);
    ordinals.add(ordinal);
  }
}

async function checkPoints(storage: StorageReader, schemas: VectorSchemas, onProgress: (rows: number) => void): Promise<void> {
  const rows = storage.rows();
  const { sequence } = storage;
  let fromRow = 0;
  let count = 0;
  for (;;) {
    const page = storage.points({ fromRow, limit: ROWS_PER_TURN });
    for (const { row, point } of page) {
      if (!rows.has(row) || storage.rowOf(point.id) !== row) refuse(`the point of row ${row} is not in the row that its id refers to`);
      if (![point.version, point.vectorVersion].every((version) => version >= 0 && version <= sequence)) {
        refuse(`the point of row ${row} belongs to an operation that never took place`);
      }
      if (!isPayload(point.payload)) refuse(`the payload of the point of row ${row} is damaged`);
      if (hasLostVectors(storage, schemas, row, point)) refuse(`the point of row ${row} lacks a vector that was written with it`);
      fromRow = row + 1;
    }
    count += page.length;
    onProgress(count);
    if (page.length < ROWS_PER_TURN) break;
    await setImmediate();
  }
  if (count !== storage.pointCount || count !== rows.count()) refuse('its number of points differs from the recorded number');
}

function hasLostVectors(storage: StorageReader, { spaces, multi, sparse }: VectorSchemas, row: number, point: StoredPoint): boolean {
  return (
    [...spaces, ...multi].some((schema) => wasWritten('dense', schema, point) && !storage.hasVector(schema.ordinal, row)) ||
    sparse.some((schema) => wasWritten('sparse', schema, point) && !storage.hasSparseVector(schema.ordinal, row))
  );
}

async function checkVectors(
  storage: StorageReader,
  { ordinal, params }: { readonly ordinal: number; readonly params: VectorParams },
  isLength: (components: number) => boolean,
): Promise<void> {
  const rows = storage.rows();
  const kind = { float32: Float32Array, float16: Float16Array, uint8: Uint8Array }[datatypeOf(params)];
  let seen = 0;
  for (const { row, vector } of storage.vectors(ordinal)) {
    const isFitting = vector instanceof kind && isLength(vector.length) && vector.every(Number.isFinite);
    if (!isFitting || !rows.has(row)) refuse(`a vector of row ${row} does not match its configuration`);
    if (++seen % ROWS_PER_TURN === 0) await setImmediate();
  }
}

async function checkSparseVectors(storage: StorageReader, ordinal: number): Promise<void> {
  let seen = 0;
  for (const row of storage.rows()) {
    const { indices, values } = storage.sparseVector(ordinal, row) ?? { indices: new Uint32Array(0), values: new Float32Array(0) };
    const isAscending = indices.every((index, place) => place === 0 || index > (indices[place - 1] ?? index));
    if (!isAscending || !values.every(Number.isFinite)) refuse(`a sparse vector of row ${row} is damaged`);
    if (++seen % ROWS_PER_TURN === 0) await setImmediate();
  }
}

function isPayload(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(reason: string): never {
  throw new UnusableCollectionError(reason);
}
