// SPDX-License-Identifier: Apache-2.0
/** Scans of all rows, or of all rows of a filter, in slices between which the thread is free. */
import type { Components, Neighbours, RescoringOptions, SpaceReader } from '@sextant/vector-kernel';
import type { ClusterProbe } from '../ivf/row-clusters.ts';
import type { MatchingRows } from '../matching-rows.ts';
import type { Pacer } from '../pacer.ts';
import { quantizedRowsCost, type RowBytes, scanCost } from '../search-costs.ts';
import { mergeNearest, type RankedRow, ranked } from '../top-rows.ts';

/** What a slice may cost, in microseconds: a small request waits no longer. */
const SLICE_COST = 2000;
/** So few rows are named one by one; a bitmap would be as long as the collection. */
const LISTED_MAX = 4096;

export type Scan = RescoringOptions & {
  readonly reader: SpaceReader;
  readonly query: Components;
  readonly k: number;
  /** Undefined for all. */
  readonly rows: MatchingRows | undefined;
  readonly bytes: RowBytes;
  readonly pacer: Pacer;
};

/** Exactly the nearest. */
export async function scanAll(scan: Scan): Promise<readonly RankedRow[]> {
  const { reader, query, k, rows } = scan;
  const rowsMax = sliceOf(scanCost({ rows: 1, bytes: scan.bytes }));
  if (rows === undefined || rows.count > LISTED_MAX) return scanInSlices(scan, rowsMax, (range) => reader.scan(query, range));
  let best: readonly RankedRow[] = [];
  for (let from = 0; from < rows.count; from += rowsMax) {
    if (scan.pacer.due()) await scan.pacer.pause();
    best = mergeNearest(best, ranked(reader.scanRows(query, { k, rows: rows.list.subarray(from, from + rowsMax) })), k);
  }
  return best;
}

/** Nearly always the nearest, where codes are in use. */
export function scanAllQuantized(scan: Scan): Promise<readonly RankedRow[]> {
  const { reader, query, bytes } = scan;
  const rescoring = rescoringOf(scan);
  const rowsMax = sliceOf(quantizedRowsCost({ rows: 1, bytes }));
  return scanInSlices(scan, rowsMax, (range) => reader.scanQuantized(query, { ...range, ...rescoring }));
}

/** Nearly always the nearest of what the chosen clusters hold. */
export async function scanClusters(scan: Scan, probe: ClusterProbe): Promise<readonly RankedRow[]> {
  const { reader, query, k, bytes, pacer } = scan;
  const rescoring = rescoringOf(scan);
  const rowsMax = sliceOf(quantizedRowsCost({ rows: 1, bytes }));
  let best: readonly RankedRow[] = [];
  for (;;) {
    if (pacer.due()) await pacer.pause();
    const rows = probe.take(rowsMax);
    if (rows === undefined) return best;
    best = mergeNearest(best, ranked(reader.scanRowsQuantized(query, { k, rows, ...rescoring })), k);
  }
}

function rescoringOf({ rescored, oversampling }: Scan): RescoringOptions {
  return { ...(rescored !== undefined && { rescored }), ...(oversampling !== undefined && { oversampling }) };
}

type Slice = { readonly k: number; readonly fromRow: number; readonly toRow: number; readonly filter?: Uint32Array };

async function scanInSlices(scan: Scan, rowsMax: number, nearestOf: (slice: Slice) => Neighbours): Promise<readonly RankedRow[]> {
  const { reader, k, rows, pacer } = scan;
  let best: readonly RankedRow[] = [];
  for (let fromRow = 0; fromRow < reader.rowBound; ) {
    if (pacer.due()) await pacer.pause();
    const toRow = sliceEnd(scan, fromRow, rowsMax);
    best = mergeNearest(best, ranked(nearestOf({ k, fromRow, toRow, ...(rows === undefined ? {} : { filter: rows.set.words }) })), k);
    fromRow = toRow;
  }
  return best;
}

function sliceOf(rowCost: number): number {
  return Math.max(64, Math.floor(SLICE_COST / rowCost));
}

/** Where a slice from `fromRow` on ends that holds about `rowsMax` of the rows. */
function sliceEnd({ rows, reader: { rowBound } }: Scan, fromRow: number, rowsMax: number): number {
  if (rows === undefined) return Math.min(fromRow + rowsMax, rowBound);
  return rows.count <= rowsMax ? rowBound : Math.min(rows.set.endOf(fromRow, rowsMax), rowBound);
}
