// SPDX-License-Identifier: Apache-2.0
/**
 * Nearest points by vectors that only storage has. They and the points are of one storage, so a search that runs within one turn of the event loop sees
 * one snapshot. A longer one may see several: then the rows that changed since the first are taken out of what it found, and each is looked at
 * again in the last, which makes the answer that of the last.
 */
import type { NearestRequest } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import type { PointHead, StoredPoint } from '@sextant/vector-storage';
import type { Hit, PayloadForm } from '../model/requests.ts';
import { RowFilter } from './matching/row-filter.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { type RecordMaker, recordMaker } from './points/records.ts';
import { mergeNearest, type RankedRow } from './top-rows.ts';
import type { CollectionView } from './view/collection-view.ts';

/** Rows beyond the wanted ones, so that a few points that move meanwhile cost no second run. */
export const SPARE_ROWS = 8;
/** How often a request runs again because points moved out of its answer; beyond it, the answer may lack a point that was being written. */
export const ATTEMPTS_MAX = 5;

/** What is looked for. */
export type StoredQuery = {
  /** How far a row is from the query, as it is stored now; undefined where they do not meet. */
  readonly distanceOf: (row: number) => number | undefined;
  /** Rows that changed while a request ran and are looked at in one piece, unless nothing else helps; more were only by very large writes. */
  readonly changedRowsMax: number;
  /** The nearest rows that pass the filter, in order. */
  readonly nearest: (asked: StoredAsked) => Promise<readonly RankedRow[]>;
  readonly scoreOf: (distance: number) => number;
  readonly passesThreshold: (score: number, threshold: number) => boolean;
};

export type StoredAsked = { readonly filter: RowFilter | undefined; readonly count: number; readonly pacer: Pacer };

type Running = StoredAsked & {
  readonly view: CollectionView;
  readonly query: StoredQuery;
  readonly wanted: number;
  /** The operation up to which the search saw everything from its start. */
  readonly startSequence: number;
  /** The point that the query is the vector of, which is no answer. */
  readonly excluded: unknown;
  readonly record: RecordMaker;
  /** Whether the filter or the answer looks at payloads. */
  readonly needsPayload: boolean;
};

/** @param open makes the query from what the snapshot has at its start */
export async function nearestStored(
  view: CollectionView,
  request: NearestRequest & PayloadForm,
  open: (pacer: Pacer) => Promise<StoredQuery> | StoredQuery,
): Promise<readonly Hit[]> {
  for (let attempt = 1; ; attempt++) {
    const search = await prepare(view, request, open);
    const settled = settle(search, await search.query.nearest(search), attempt === ATTEMPTS_MAX);
    if (settled === undefined) continue;
    const { score_threshold: threshold } = request;
    const passing = threshold == null ? settled : settled.filter(({ score }) => search.query.passesThreshold(score, threshold));
    return passing.slice(request.offset ?? 0);
  }
}

async function prepare(
  view: CollectionView,
  request: NearestRequest & PayloadForm,
  open: (pacer: Pacer) => Promise<StoredQuery> | StoredQuery,
): Promise<Running> {
  const { storage } = view;
  storage.refresh();
  const startSequence = storage.sequence;
  const pacer = createPacer(view.clock);
  const wanted = (request.offset ?? 0) + request.limit;
  const filter = request.filter == null ? undefined : new RowFilter(view, request.filter);
  return {
    view,
    query: await open(pacer),
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

/** Undefined where a nearer point than the last hit may have been missed, unless that has to do. */
function settle(search: Running, found: readonly RankedRow[], isLast: boolean): readonly Hit[] | undefined {
  const { view, query, startSequence, count, wanted } = search;
  const { storage } = view;
  storage.refresh();
  const changed = storage.sequence === startSequence ? NO_ROWS : view.changedRows.since(startSequence);
  if (changed === undefined) return isLast ? hitsOf(search, found, NO_ROWS).map(({ hit }) => hit) : undefined;
  if (changed.size > query.changedRowsMax && !isLast) return undefined;
  const unchanged = changed.size === 0 ? found : found.filter(({ row }) => !changed.has(row));
  const hits = hitsOf(search, mergeNearest(unchanged, changedHits(query, changed), found.length + changed.size), changed);
  // Rows beyond the last of a full list were not kept.
  const horizon = found.length < count ? Number.POSITIVE_INFINITY : (found.at(-1)?.distance ?? 0);
  const isCertain = hits.length < wanted ? found.length < count : (hits.at(-1)?.distance ?? 0) <= horizon;
  return isCertain || isLast ? hits.map(({ hit }) => hit) : undefined;
}

/** Nearly always nothing was written while a search ran. */
const NO_ROWS: ReadonlySet<number> = new Set();

function changedHits({ distanceOf }: StoredQuery, changed: ReadonlySet<number>): readonly RankedRow[] {
  const hits: RankedRow[] = [];
  for (const row of changed) {
    const distance = distanceOf(row);
    if (distance !== undefined) hits.push({ row, distance });
  }
  return hits.sort((a, b) => a.distance - b.distance);
}

function matches(filter: RowFilter | undefined, row: number, point: PointHead | StoredPoint): boolean {
  if (filter === undefined) return true;
  assert('payload' in point, 'what a filter looks at was read with its payload');
  return filter.matches(row, point);
}

type Found = { readonly distance: number; readonly hit: Hit };

function hitsOf(search: Running, rows: readonly RankedRow[], changed: ReadonlySet<number>): readonly Found[] {
  const { view, query, filter, wanted, excluded, startSequence } = search;
  const { storage } = view;
  const hits: Found[] = [];
  for (const { row, distance } of rows) {
    if (hits.length === wanted) break;
    const point: PointHead | StoredPoint | undefined = search.needsPayload ? storage.point(row) : storage.pointHead(row);
    if (point === undefined || point.id === excluded) continue;
    if (!changed.has(row) && point.vectorVersion > startSequence) continue;
    if (changed.has(row) && !matches(filter, row, point)) continue;
    hits.push({ distance, hit: { ...search.record(row, point), version: point.version, score: query.scoreOf(distance) } });
  }
  return hits;
}
