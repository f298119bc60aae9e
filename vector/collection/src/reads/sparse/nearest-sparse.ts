/**
 * Nearest points by a sparse vector. Lists and points are in the same storage, so a search that runs within one turn of the event loop sees one
 * snapshot. A longer one may see several: then the rows that changed since the first are taken out of what it found, and each is looked at
 * anew in the last, which makes the answer that of the last.
 */
import { type NearestRequest, ServiceError } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import type { PointHead, SparseComponents, StoredPoint } from '@sextant/vector-storage';
import type { CollectionView } from '../../collection-view.ts';
import type { Hit, PayloadForm } from '../../engine.ts';
import { createPacer } from '../../pacer.ts';
import { type SparseSchema, storedSparse } from '../../sparse-vectors.ts';
import { sparseFor } from '../../vectors.ts';
import { type RecordMaker, recordMaker } from '../records.ts';
import { RowFilter } from '../row-filter.ts';
import { mergeNearest, type RankedRow } from '../top-rows.ts';
import { dotProduct, type SparseSearch, sparseRows } from './sparse-rows.ts';
import { weightedQuery } from './sparse-weights.ts';

/** Rows beyond the wanted ones, so that a few points that move meanwhile cost no second run. */
const SPARE_ROWS = 8;
/** How often a request runs again because points moved out of its answer; beyond it, the answer may lack a point that was being written. */
const ATTEMPTS_MAX = 5;
/** Rows that changed while one request ran and are looked at one by one, unless nothing else helps; more were only by very large writes. */
const CHANGED_ROWS_MAX = 4096;

type Running = SparseSearch & {
  readonly view: CollectionView;
  readonly wanted: number;
  /** The operation up to which the search saw everything from its start. */
  readonly startSequence: number;
  /** The point that the query is the vector of, which is no answer. */
  readonly excluded: unknown;
  readonly record: RecordMaker;
  /** Whether the filter or the answer looks at payloads. */
  readonly needsPayload: boolean;
};

export async function nearestSparse(
  view: CollectionView,
  schema: SparseSchema,
  request: NearestRequest & PayloadForm,
): Promise<readonly Hit[]> {
  for (let attempt = 1; ; attempt++) {
    const search = await prepare(view, schema, request);
    const settled = settle(search, await sparseRows(search), attempt === ATTEMPTS_MAX);
    if (settled === undefined) continue;
    const { score_threshold: threshold } = request;
    const passing = threshold == null ? settled : settled.filter(({ score }) => score > threshold);
    return passing.slice(request.offset ?? 0);
  }
}

async function prepare(view: CollectionView, schema: SparseSchema, request: NearestRequest & PayloadForm): Promise<Running> {
  const { storage } = view;
  storage.refresh();
  const startSequence = storage.sequence;
  const pacer = createPacer(view.clock);
  const wanted = (request.offset ?? 0) + request.limit;
  const query = queryOf(view, schema, request.vector);
  const filter = request.filter == null ? undefined : new RowFilter(view, request.filter);
  return {
    view,
    storage,
    ordinal: schema.ordinal,
    query: await weightedQuery(view, schema, { query, idf: request.params?.idf, pacer }),
    filter,
    wanted,
    count: wanted + SPARE_ROWS,
    pacer,
    startSequence,
    excluded: 'id' in request.vector ? request.vector.id : undefined,
    record: recordMaker(view, request),
    needsPayload: filter !== undefined || (request.with_payload ?? false) !== false,
  };
}

function queryOf({ storage }: CollectionView, schema: SparseSchema, vector: NearestRequest['vector']): SparseComponents {
  if (!('id' in vector)) return storedSparse(sparseFor(schema.name, vector));
  const row = storage.rowOf(vector.id);
  if (row === undefined) throw new ServiceError('point_not_found', { id: vector.id });
  const query = storage.sparseVector(schema.ordinal, row);
  if (query !== undefined) return query;
  throw new ServiceError('invalid_request', { reason: `query: point ${vector.id} has no vector ${JSON.stringify(schema.name)}` });
}

/** Undefined where a nearer point than the last hit may have been missed, unless that has to do. */
function settle(search: Running, found: readonly RankedRow[], isLast: boolean): readonly Hit[] | undefined {
  const { storage, view, startSequence, count, wanted } = search;
  storage.refresh();
  const changed = storage.sequence === startSequence ? NO_ROWS : view.changedRows.since(startSequence);
  if (changed === undefined) return isLast ? hitsOf(search, found, NO_ROWS) : undefined;
  if (changed.size > CHANGED_ROWS_MAX && !isLast) return undefined;
  const unchanged = changed.size === 0 ? found : found.filter(({ row }) => !changed.has(row));
  const hits = hitsOf(search, mergeNearest(unchanged, changedHits(search, changed), found.length + changed.size), changed);
  // Rows beyond the last of a full list were not kept.
  const horizon = found.length < count ? Number.NEGATIVE_INFINITY : -(found.at(-1)?.distance ?? 0);
  const isCertain = hits.length < wanted ? found.length < count : (hits.at(-1)?.score ?? 0) >= horizon;
  return isCertain || isLast ? hits : undefined;
}

/** Nearly always nothing was written while a search ran. */
const NO_ROWS: ReadonlySet<number> = new Set();

function changedHits({ storage, ordinal, query }: Running, changed: ReadonlySet<number>): readonly RankedRow[] {
  const hits: RankedRow[] = [];
  for (const row of changed) {
    const vector = storage.sparseVector(ordinal, row);
    const score = vector && dotProduct(query, vector);
    if (score !== undefined) hits.push({ row, distance: -score });
  }
  return hits.sort((a, b) => a.distance - b.distance);
}

function matches(filter: RowFilter | undefined, row: number, point: PointHead | StoredPoint): boolean {
  if (filter === undefined) return true;
  assert('payload' in point, 'what a filter looks at was read with its payload');
  return filter.matches(row, point);
}

function hitsOf(search: Running, rows: readonly RankedRow[], changed: ReadonlySet<number>): readonly Hit[] {
  const { storage, filter, wanted, excluded, startSequence } = search;
  const hits: Hit[] = [];
  for (const { row, distance } of rows) {
    if (hits.length === wanted) break;
    const point: PointHead | StoredPoint | undefined = search.needsPayload ? storage.point(row) : storage.pointHead(row);
    if (point === undefined || point.id === excluded) continue;
    if (!changed.has(row) && point.vectorVersion > startSequence) continue;
    if (changed.has(row) && !matches(filter, row, point)) continue;
    // Adding zero turns the negative zero of a distance into zero.
    hits.push({ ...search.record(row, point), version: point.version, score: -distance + 0 });
  }
  return hits;
}
