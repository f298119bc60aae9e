// SPDX-License-Identifier: Apache-2.0
/** Points in the order of their ids (numbers before UUIDs), or of a payload field. */
import {
  type OrderBy,
  type PointId,
  type PointRecord,
  type ScrollRequest,
  type ScrollResult,
  ServiceError,
} from '@sextant/contracts-vector';
import { comparePointIds, type RowSet, type StoredPoint } from '@sextant/vector-storage';
import { orderedRows } from '../../field-index/ordered-rows.ts';
import type { VersionedRecord, VersionForm } from '../../model/requests.ts';
import { parseRequestPath } from '../../payload/payload-change.ts';
import { RowFilter } from '../matching/row-filter.ts';
import { createPacer, type Pacer } from '../pacer.ts';
import type { CollectionView } from '../view/collection-view.ts';
import { type RecordMaker, recordMaker } from './records.ts';
import { pointOf } from './retrieve.ts';

const LIMIT_DEFAULT = 10;
/** Ids that are read between two looks at the clock. */
const PAGE = 256;
/** Known rows fewer than this share of the collection are sorted by id; more are met soon enough when walking all ids. */
const SORTED_SHARE = 1 / 16;

type Entry = { readonly id: PointId; readonly row: number; readonly point: StoredPoint };

type Scrolled = ScrollResult & { readonly points: readonly VersionedRecord[] };

export async function scroll(view: CollectionView, request: ScrollRequest & VersionForm): Promise<Scrolled> {
  const limit = request.limit ?? LIMIT_DEFAULT;
  const filter = request.filter == null ? undefined : new RowFilter(view, request.filter);
  const record = recordMaker(view, { with_payload: request.with_payload ?? true, with_vector: request.with_vector });
  if (request.order_by != null) return { points: await ordered(view, request, { filter, limit, record }), next_page_offset: null };
  const entries = await entriesById(view, filter, { from: request.offset ?? undefined, count: limit + 1 });
  return {
    points: entries.slice(0, limit).map(({ row, point }) => ({
      ...record(row, point),
      ...(request.withVersion === true ? { version: point.version } : {}),
    })),
    next_page_offset: entries[limit]?.id ?? null,
  };
}

function entriesById(view: CollectionView, filter: RowFilter | undefined, page: { from: PointId | undefined; count: number }) {
  const known = filter?.matching;
  if (filter === undefined || known === undefined || known.count > view.storage.pointCount * SORTED_SHARE) {
    return walkedEntries(view, filter, page);
  }
  return sortedEntries(view, filter, known.set, page);
}

async function sortedEntries(
  view: CollectionView,
  filter: RowFilter,
  rows: RowSet,
  { from, count }: { from: PointId | undefined; count: number },
) {
  const pacer = createPacer(view.clock);
  const entries: Entry[] = [];
  for (const row of rows) {
    const point = passing(view, filter, row);
    if (point !== undefined && (from === undefined || comparePointIds(point.id, from) >= 0)) entries.push({ id: point.id, row, point });
    if (pacer.due()) await pacer.pause();
  }
  return entries.sort((a, b) => comparePointIds(a.id, b.id)).slice(0, count);
}

async function walkedEntries(
  view: CollectionView,
  filter: RowFilter | undefined,
  { from, count }: { from: PointId | undefined; count: number },
) {
  const pacer = createPacer(view.clock);
  const found: Entry[] = [];
  let next = from;
  for (;;) {
    // One more than is used, whose id the next page starts from.
    const pageSize = filter === undefined ? Math.min(PAGE, count - found.length) : PAGE;
    const page = view.storage.ids({ ...(next === undefined ? {} : { from: next }), limit: pageSize + 1 });
    for (const { id, row } of page.slice(0, pageSize)) {
      const point = pointOf(view.storage, id, row);
      if (filter === undefined || filter.passes(row, point)) found.push({ id, row, point });
      if (found.length === count) return found;
    }
    next = page[pageSize]?.id;
    if (next === undefined) return found;
    if (pacer.due()) await pacer.pause();
  }
}

function passing(view: CollectionView, filter: RowFilter | undefined, row: number): StoredPoint | undefined {
  const point = view.storage.point(row);
  if (point === undefined) return undefined;
  return filter === undefined || filter.passes(row, point) ? point : undefined;
}

async function ordered(
  view: CollectionView,
  request: ScrollRequest,
  { filter, limit, record }: { filter: RowFilter | undefined; limit: number; record: RecordMaker },
): Promise<readonly PointRecord[]> {
  if (request.offset != null) {
    throw new ServiceError('invalid_request', {
      reason: 'offset: cannot be used together with order_by; continue with order_by.start_from instead',
    });
  }
  const order: OrderBy = typeof request.order_by === 'string' ? { key: request.order_by } : (request.order_by ?? { key: '' });
  const index = view.fieldIndexes.get(parseRequestPath(order.key, 'order_by.key').text);
  if (index === undefined) throw new ServiceError('range_index_required', { key: order.key, collection: view.name });
  const pacer = createPacer(view.clock);
  const startSequence = view.storage.sequence;
  const records: PointRecord[] = [];
  for (const { value, rows } of orderedRows(index, order, view.storage, view.name)) {
    for await (const row of rowsById(view, rows, { limit, reverse: order.direction === 'desc', pacer })) {
      const point = passing(view, filter, row);
      // The values are those of the start: a row that was written since then may be another point's.
      if (point !== undefined && point.vectorVersion <= startSequence) records.push({ ...record(row, point), order_value: value });
      if (records.length === limit) return records;
      if (pacer.due()) await pacer.pause();
    }
  }
  return records;
}

/** Rows of one value by the ids of their points, in the direction of the values; read as far as they are wanted. */
async function* rowsById(
  { storage }: CollectionView,
  rows: RowSet,
  { limit, reverse, pacer }: { readonly limit: number; readonly reverse: boolean; readonly pacer: Pacer },
): AsyncGenerator<number> {
  // Walking all ids meets a row of the value in each (points / rows) of them, so from here on it meets as many as are wanted sooner than all rows are read.
  const few = fewRows(rows, Math.max(1, Math.sqrt(limit * storage.pointCount)));
  if (few === undefined) {
    for (let from: { readonly from?: PointId } | undefined = {}; from !== undefined; ) {
      const page: readonly { readonly id: PointId; readonly row: number }[] = storage.ids({ ...from, limit: PAGE + 1, reverse });
      for (const { row } of page.slice(0, PAGE)) if (rows.has(row)) yield row;
      const next = page[PAGE];
      from = next && { from: next.id };
      if (pacer.due()) await pacer.pause();
    }
    return;
  }
  // Most values are those of one point.
  if (few.length === 1) return yield* few;
  const heads: { readonly id: PointId; readonly row: number }[] = [];
  for (const row of few) {
    const head = storage.pointHead(row);
    if (head !== undefined) heads.push({ id: head.id, row });
    if (pacer.due()) await pacer.pause();
  }
  const sign = reverse ? -1 : 1;
  for (const { row } of heads.sort((a, b) => sign * comparePointIds(a.id, b.id))) yield row;
}

/** Undefined where there are more than so many: counting them first would be another pass over the set. */
function fewRows(rows: RowSet, countMax: number): readonly number[] | undefined {
  const few: number[] = [];
  for (const row of rows) {
    if (few.length >= countMax) return undefined;
    few.push(row);
  }
  return few;
}
