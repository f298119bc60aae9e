// SPDX-License-Identifier: Apache-2.0
/** A collection that was taken in from a snapshot and checked, read in the form in which a caller would write it. */
import type { CreateCollection, FieldSchema, NamedVectorInput, PointInput } from '@sextant/contracts-vector';
import { openCollectionStorage, type StorageReader } from '@sextant/vector-storage';
import { type CollectionConfig, requestFromConfig } from '../model/collection-config.ts';
import { CONFIG, FIELD_INDEXES } from '../model/collection-documents.ts';
import { type VectorSchemas, vectorSchemasOf } from '../model/vectors.ts';
import { storedPayload } from '../reads/matching/filter-point.ts';
import type { FieldIndexDocument } from '../writes/field-indexes.ts';

export type StoredCollection = Disposable & {
  readonly request: CreateCollection;
  readonly fieldIndexes: readonly { readonly field: string; readonly schema: FieldSchema }[];
  /** As many at a time as go into one write. */
  points(): Generator<readonly PointInput[]>;
};

/** Of one write: an entry of a log may be as small as a megabyte. */
const POINTS_MAX = 100;
const BYTES_MAX = 256 * 1024;

/** @param directory what an import has checked */
export function openStoredCollection(directory: string): StoredCollection {
  const storage = openCollectionStorage({ directory });
  // The check has validated both documents.
  const config = storage.document(CONFIG) as CollectionConfig;
  const { indexes = [] } = (storage.document(FIELD_INDEXES) ?? {}) as Partial<FieldIndexDocument>;
  return {
    request: requestFromConfig(config) as CreateCollection,
    fieldIndexes: indexes,
    points: () => pagesOf(storage, vectorSchemasOf(config)),
    [Symbol.dispose]: () => storage.close(),
  };
}

function* pagesOf(storage: StorageReader, schemas: VectorSchemas): Generator<readonly PointInput[]> {
  let page: PointInput[] = [];
  let bytes = 0;
  for (const row of storage.rows()) {
    const point = storage.point(row);
    if (point === undefined) continue;
    const { vector, bytes: ofVectors } = vectorsOf(storage, schemas, row);
    const size = point.payload.length + ofVectors;
    if (page.length === POINTS_MAX || (page.length > 0 && bytes + size > BYTES_MAX)) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push({ id: point.id, vector, payload: storedPayload(point) });
    bytes += size;
  }
  if (page.length > 0) yield page;
}

/** By name, the unnamed one by the empty one, in float32, which holds what any datatype can. */
function vectorsOf(
  storage: StorageReader,
  { spaces, multi, sparse }: VectorSchemas,
  row: number,
): { readonly vector: { readonly [name: string]: NamedVectorInput }; readonly bytes: number } {
  const vector: { [name: string]: NamedVectorInput } = {};
  let bytes = 0;
  for (const { name, ordinal } of spaces) {
    const stored = storage.vector(ordinal, row);
    if (stored === undefined) continue;
    vector[name] = Float32Array.from(stored);
    bytes += stored.length * Float32Array.BYTES_PER_ELEMENT;
  }
  for (const { name, ordinal, params } of multi) {
    const stored = storage.vector(ordinal, row);
    if (stored === undefined) continue;
    const count = stored.length / params.size;
    const at = (index: number) => Float32Array.from(stored.subarray(index * params.size, (index + 1) * params.size));
    vector[name] = Array.from({ length: count }, (_, index) => at(index));
    bytes += stored.length * Float32Array.BYTES_PER_ELEMENT;
  }
  for (const { name, ordinal } of sparse) {
    const stored = storage.sparseVector(ordinal, row);
    if (stored === undefined) continue;
    vector[name] = { indices: Array.from(stored.indices), values: stored.values };
    // Indices are text on their way.
    bytes += stored.indices.length * 3 * Float32Array.BYTES_PER_ELEMENT;
  }
  return { vector, bytes };
}
