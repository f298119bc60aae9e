// SPDX-License-Identifier: Apache-2.0
/**
 * Rows become points. Storage commits before memory follows, so at any moment one of them is ahead: first memory catches up with a fresh
 * snapshot, then the rows that were put since the search began are offered too, and only then rows are looked up. A point that was moved
 * while the search ran is thus found where it is now. Mostly nothing was written meanwhile: then memory and snapshot are still those of the start.
 */
import { assert } from '@sextant/foundation-std';
import { DamagedError, type PointHead, type StoredPoint } from '@sextant/vector-storage';
import type { Hit } from '../../model/requests.ts';
import { scoreOf } from '../../model/vectors.ts';
import type { RecordMaker } from '../points/records.ts';
import { mergeNearest, type RankedRow, ranked } from '../top-rows.ts';
import type { RowSearch } from './nearest-rows.ts';

/** Newer rows that are offered to a filter; more were put during one request only by very large writes. */
const NEWER_ROWS_MAX = 4096;
/** Rounds until memory and storage are seen in one state; each loses only to a write that ends just then. */
const ROUNDS_MAX = 100;

export type Settling = RowSearch & {
  readonly wanted: number;
  /** The row of the query point itself, which is no answer. */
  readonly excludedRow: number | undefined;
  /** Operations up to this one were in memory when the search began. */
  readonly memorySequence: number;
  /** Operations up to this one were in the snapshot that the filter read. */
  readonly startSequence: number;
  readonly record: RecordMaker;
  /** Whether the filter or the answer looks at payloads. */
  readonly needsPayload: boolean;
};

export type Settled = {
  readonly hits: readonly Hit[];
  /** False where a nearer point than the last hit may have been missed. */
  readonly certain: boolean;
};

export async function settle(search: Settling, rows: readonly RankedRow[]): Promise<Settled> {
  for (let round = 1; ; round++) {
    const unchanged = round === 1 && isUnchanged(search);
    const sequence = unchanged ? search.memorySequence : await memoryCaughtUp(search);
    const newer = unchanged ? [] : newerRows(search, sequence);
    const { hits, horizon, memoryAhead: foundAhead } = resolve(search, rows, newer);
    // Another request of this thread may have let storage show a newer snapshot, in which a point has moved to a row that memory does not have yet.
    if (unchanged && foundAhead && search.view.storage.sequence === search.startSequence)
      throw new DamagedError('a point that the vectors in memory belong to, which is missing,');
    // A point that was moved while newer rows were looked at may be missed in both its places.
    const memoryAhead = foundAhead || (!unchanged && search.view.gauges.memoryFollowing > sequence);
    if (memoryAhead && round < ROUNDS_MAX) continue;
    const reach = hits.length < search.wanted ? Number.POSITIVE_INFINITY : (hits.at(-1)?.distance ?? 0);
    return { hits: hits.map(({ point }) => point), certain: !memoryAhead && reach <= horizon };
  }
}

/** Whether the search saw one state of memory, the one of its snapshot: nothing was being put into memory at its start, or has been since. */
function isUnchanged({ view, memorySequence, startSequence }: Settling): boolean {
  return startSequence === memorySequence && view.gauges.memoryFollowing === memorySequence;
}

/** Answers the sequence of the snapshot that memory has caught up with. */
async function memoryCaughtUp({ view }: Settling): Promise<number> {
  view.storage.refresh();
  for (;;) {
    // Read again each time: with every turn of the event loop storage may show a newer snapshot.
    const { sequence } = view.storage;
    if (view.gauges.memorySequence >= sequence) return sequence;
    await view.gauges.memoryReaches(sequence);
  }
}

function newerRows(search: Settling, sequence: number): readonly RankedRow[] {
  const { reader, query, memorySequence } = search;
  if (sequence === memorySequence) return [];
  return ranked(reader.scanNewer(query, { k: newerRowsMax(search), version: memorySequence }));
}

/** Without a filter no more of them than are wanted can be answers. */
function newerRowsMax({ filter, count }: Settling): number {
  return filter === undefined ? count : Math.max(count, NEWER_ROWS_MAX);
}

/** Hardly ever was anything written while a search ran. */
const NO_ROWS: ReadonlySet<number> = new Set();

type Found = { readonly distance: number; readonly point: Hit };

function resolve(search: Settling, rows: readonly RankedRow[], newer: readonly RankedRow[]) {
  const { view, reader, schema, wanted } = search;
  const isNewer = newer.length === 0 ? NO_ROWS : new Set(newer.map(({ row }) => row));
  const older = newer.length === 0 ? rows : rows.filter(({ row }) => !isNewer.has(row));
  const hits: Found[] = [];
  let memoryAhead = false;
  for (const { row, distance } of mergeNearest(older, newer, older.length + newer.length)) {
    if (hits.length === wanted) break;
    const point = search.needsPayload ? view.storage.point(row) : view.storage.pointHead(row);
    if (point === undefined) memoryAhead ||= reader.has(row);
    else if (row !== search.excludedRow && isAnswer(search, row, point, isNewer.has(row))) {
      const score = scoreOf(schema.params.distance, distance);
      hits.push({ distance, point: { ...search.record(row, point), version: point.version, score } });
    }
  }
  return { hits, memoryAhead, horizon: Math.min(horizonOf(rows, search.count), horizonOf(newer, newerRowsMax(search))) };
}

/** Rows farther than the last of a full list were not looked at. */
function horizonOf(rows: readonly RankedRow[], count: number): number {
  return rows.length < count ? Number.POSITIVE_INFINITY : (rows.at(-1)?.distance ?? 0);
}

function isAnswer({ filter, startSequence }: Settling, row: number, point: PointHead | StoredPoint, isNewer: boolean): boolean {
  // A row that has a vector from after the start is another point's by now, and comes among the newer ones.
  if (!isNewer && point.vectorVersion > startSequence) return false;
  if (filter === undefined) return true;
  assert('payload' in point, 'what a filter looks at was read with its payload');
  return isNewer ? filter.passes(row, point) : point.version <= startSequence || filter.matches(row, point);
}
