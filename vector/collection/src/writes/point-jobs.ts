// SPDX-License-Identifier: Apache-2.0
/** The writes of points, each as a job for `PointChanges`: first every check, then every change. */
import type { Filter, Payload, PointId, PointInput, PointSelector, PointVectors, UpsertCondition } from '@sextant/contracts-vector';
import { DamagedError } from '@sextant/vector-storage';
import { compileFilter } from '../filter/compile.ts';
import { unknownVector } from '../model/collection-config.ts';
import type { PayloadChange } from '../model/requests.ts';
import {
  type GivenVectors,
  lostVectors,
  type NamedSchema,
  type StoredVectors,
  schemaNamed,
  storedVectors,
  type VectorSchemas,
} from '../model/vectors.ts';
import { deletePayloadKeys, overwritePayload, parseDeletePaths, parseRequestPath, setPayload } from '../payload/payload-change.ts';
import { filterable, storedPayload } from '../reads/matching/filter-point.ts';
import { RowFilter } from '../reads/matching/row-filter.ts';
import type { PointChanges } from './point-changes.ts';

export type PointJob = (changes: PointChanges) => void;

/** Of several points with one id the last is written, as if they had come one after the other; every one has to be valid. */
export function upsertJob(schemas: VectorSchemas, points: readonly PointInput[], condition: UpsertCondition = {}): PointJob {
  const prepared = points.map(({ id, vector, payload }) => ({ id, payload: payload ?? {}, vectors: storedVectors(schemas, vector) }));
  const latest = lastOfEachId(prepared);
  return (changes) => {
    refuseRemoved(changes, schemas, prepared);
    const admits = upsertGate(changes, condition);
    const written = latest.filter(({ id }) => changes.ownership.owns(id) && admits(id));
    changes.reserveRows(written.length);
    for (const { id, payload, vectors } of written) {
      changes.write(id, payload, vectors);
      changes.inputNorms.push(...vectors.inputNorms);
    }
  };
}

/** Ids that the collection does not have are passed over: they are gone already. */
export function deleteJob(selector: PointSelector): PointJob {
  return (changes) => {
    const rows = 'points' in selector ? selector.points.map((id) => changes.transaction.rowOf(id)) : rowsMatching(changes, selector);
    for (const row of new Set(rows)) if (row !== undefined) changes.remove(row);
  };
}

/** Replaces only the vectors that are given; the others and the payload stay. Vectors of one id are given together, of one name the last. */
export function updateVectorsJob(schemas: VectorSchemas, points: readonly PointVectors[], filter?: Filter): PointJob {
  const prepared = points.map(({ id, vector }) => ({ id, vectors: storedVectors(schemas, vector) }));
  const merged = mergedById(prepared);
  return (changes) => {
    refuseRemoved(changes, schemas, prepared);
    const matches = pointMatcher(changes, filter);
    const written = merged.flatMap(({ id, vectors }) => changes.rowsOf([id]).flatMap((row) => (matches(row) ? [{ row, vectors }] : [])));
    changes.reserveRows(written.length);
    for (const { row, vectors } of written) {
      rewriteVectors(changes, row, (stored) => withVectors(stored, vectors));
      changes.inputNorms.push(...vectors.inputNorms);
    }
  };
}

export function deleteVectorsJob(schemas: VectorSchemas, selector: PointSelector, names: readonly string[]): PointJob {
  const gone = names.map((name) => schemaNamed(schemas, name));
  return (changes) => {
    const rows = selectedRows(changes, selector);
    changes.reserveRows(rows.length);
    for (const row of rows) rewriteVectors(changes, row, (stored) => without(stored, gone));
  };
}

function without({ dense, sparse }: StoredVectors, gone: readonly NamedSchema[]): StoredVectors {
  const keeps = (isSparse: boolean, ordinal: number) =>
    !gone.some(({ kind, schema }) => (kind === 'sparse') === isSparse && schema.ordinal === ordinal);
  return {
    dense: new Map([...dense].filter(([ordinal]) => keeps(false, ordinal))),
    sparse: new Map([...sparse].filter(([ordinal]) => keeps(true, ordinal))),
  };
}

/** Moves points to the lowest free rows; those that are gone by now are passed over. */
export function moveJob(rows: readonly number[]): PointJob {
  return (changes) => {
    changes.reserveRows(rows.length);
    for (const row of rows) if (changes.transaction.point(row) !== undefined) changes.move(row);
  };
}

export function setPayloadJob({ selector, payload, key }: PayloadChange): PointJob {
  const at = key === undefined ? undefined : parseRequestPath(key, 'key');
  return payloadJob(selector, (stored) => setPayload(stored, payload, at));
}

export function overwritePayloadJob({ selector, payload, key }: PayloadChange): PointJob {
  const at = key === undefined ? undefined : parseRequestPath(key, 'key');
  return payloadJob(selector, (stored) => overwritePayload(stored, payload, at));
}

export function deletePayloadJob(selector: PointSelector, keys: readonly string[]): PointJob {
  const paths = parseDeletePaths(keys);
  return payloadJob(selector, (stored) => deletePayloadKeys(stored, paths));
}

export function clearPayloadJob(selector: PointSelector): PointJob {
  return payloadJob(selector, () => ({}));
}

function payloadJob(selector: PointSelector, change: (stored: Payload) => Payload): PointJob {
  return (changes) => {
    const changed = selectedRows(changes, selector).map((row) => ({ row, payload: change(storedPayload(changes.point(row))) }));
    for (const { row, payload } of changed) changes.changePayload(row, payload);
  };
}

/** Of the items of one id the last. The conditions of a write hold for the points that were there before it, so the earlier items have no part in it. */
function lastOfEachId<Item extends { readonly id: PointId }>(items: readonly Item[]): readonly Item[] {
  const positions = new Map<PointId, number>();
  for (const [position, { id }] of items.entries()) positions.set(id, position);
  return positions.size === items.length ? items : items.filter(({ id }, position) => positions.get(id) === position);
}

type VectorsOfPoint = { readonly id: PointId; readonly vectors: GivenVectors };

function mergedById(items: readonly VectorsOfPoint[]): readonly VectorsOfPoint[] {
  const points = new Map<PointId, GivenVectors>();
  for (const { id, vectors } of items) {
    const earlier = points.get(id);
    const merged = earlier && { ...withVectors(earlier, vectors), inputNorms: [...earlier.inputNorms, ...vectors.inputNorms] };
    points.set(id, merged ?? vectors);
  }
  return points.size === items.length ? items : Array.from(points, ([id, vectors]) => ({ id, vectors }));
}

function withVectors(earlier: StoredVectors, later: StoredVectors): StoredVectors {
  return { dense: new Map([...earlier.dense, ...later.dense]), sparse: new Map([...earlier.sparse, ...later.sparse]) };
}

/** A vector may have been removed while the job waited. A number is reused only when no job waits that knew its former vector. */
function refuseRemoved({ scope }: PointChanges, schemas: VectorSchemas, prepared: readonly { readonly vectors: StoredVectors }[]): void {
  if (scope.spaces === schemas.spaces && scope.sparse === schemas.sparse) return;
  const removedDense = removedNames([...schemas.spaces, ...schemas.multi], [...scope.spaces, ...scope.multi]);
  const removedSparse = removedNames(schemas.sparse, scope.sparse);
  for (const { vectors } of prepared) {
    refuseAmong(removedDense, vectors.dense.keys());
    refuseAmong(removedSparse, vectors.sparse.keys());
  }
}

type Numbered = readonly { readonly ordinal: number; readonly name: string }[];

function removedNames(before: Numbered, now: Numbered): ReadonlyMap<number, string> {
  const there = new Set(now.map(({ ordinal }) => ordinal));
  return new Map(before.filter(({ ordinal }) => !there.has(ordinal)).map(({ ordinal, name }) => [ordinal, name]));
}

function refuseAmong(removed: ReadonlyMap<number, string>, ordinals: Iterable<number>): void {
  for (const ordinal of ordinals) {
    const vector = removed.get(ordinal);
    if (vector !== undefined) throw unknownVector(vector);
  }
}

function rewriteVectors(changes: PointChanges, row: number, change: (stored: StoredVectors) => StoredVectors): void {
  const point = changes.point(row);
  const stored = changes.vectorsOf(row);
  const lost = lostVectors(changes.scope, point, stored);
  const vectors = change(stored);
  // One that is written again is lost no longer.
  const isLost = lost.dense.some((space) => !vectors.dense.has(space)) || lost.sparse.some((space) => !vectors.sparse.has(space));
  if (isLost) throw new DamagedError(`the vector of point ${point.id}`);
  changes.write(point.id, storedPayload(point), vectors);
}

/** Rows of a selector; see `rowsOf` for ids that the collection does not have. */
function selectedRows(changes: PointChanges, selector: PointSelector): number[] {
  if ('points' in selector) return [...new Set(changes.rowsOf(selector.points))];
  return rowsMatching(changes, selector);
}

function rowsMatching(changes: PointChanges, { filter }: Extract<PointSelector, { filter: unknown }>): number[] {
  return Array.from(new RowFilter(changes.scope, filter).rowsNow().list);
}

/** Whether an upsert writes a point, by what there is under its id. */
function upsertGate(changes: PointChanges, { mode = 'upsert', filter }: UpsertCondition): (id: PointId) => boolean {
  if (mode === 'upsert' && filter === undefined) return () => true;
  const matches = pointMatcher(changes, filter);
  return (id) => {
    const row = changes.transaction.rowOf(id);
    if (row === undefined) return mode !== 'update_only';
    return mode !== 'insert_only' && matches(row);
  };
}

/** Whether the point of a row matches, by its payload alone: few points are asked about, and the indexes would have to be asked about all. */
function pointMatcher(changes: PointChanges, filter: Filter | undefined): (row: number) => boolean {
  if (filter === undefined) return () => true;
  const { scope } = changes;
  const { matches } = compileFilter(filter, (field) => scope.fieldIndexes.get(field)?.schema);
  return (row) => matches(filterable(scope, row, changes.point(row)));
}
