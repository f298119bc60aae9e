/** Looking at every row, or at every row of a filter, in slices between which the thread is free. */
import type { Components, Neighbours, RescoringOptions, SpaceReader } from '@sextant/vector-kernel';
import type { GroupLook } from './groups/row-groups.ts';
import type { MatchingRows } from './matching-rows.ts';
import type { Pacer } from './pacer.ts';
import { type RowBytes, scanCost, sweptCost } from './search-costs.ts';
import { mergeNearest, type RankedRow, ranked } from './top-rows.ts';

/** What a slice may cost, in microseconds: a small request waits no longer. */
const SLICE_COST = 2000;
/** So few rows are named one by one; a bitmap would be as long as the collection. */
const LISTED_MAX = 4096;

export type Look = RescoringOptions & {
  readonly reader: SpaceReader;
  readonly query: Components;
  readonly k: number;
  /** Undefined for all. */
  readonly rows: MatchingRows | undefined;
  readonly bytes: RowBytes;
  readonly pacer: Pacer;
};

/** Exactly the nearest. */
export async function scanAll(look: Look): Promise<readonly RankedRow[]> {
  const { reader, query, k, rows } = look;
  const rowsMax = sliceOf(scanCost({ rows: 1, bytes: look.bytes }));
  if (rows === undefined || rows.count > LISTED_MAX) return lookAt(look, rowsMax, (range) => reader.scan(query, range));
  let best: readonly RankedRow[] = [];
  for (let from = 0; from < rows.count; from += rowsMax) {
    if (look.pacer.due()) await look.pacer.pause();
    best = mergeNearest(best, ranked(reader.scanRows(query, { k, rows: rows.list.subarray(from, from + rowsMax) })), k);
  }
  return best;
}

/** Nearly always the nearest, where codes are in use. */
export function sweepAll(look: Look): Promise<readonly RankedRow[]> {
  const { reader, query, bytes, rescored, oversampling } = look;
  const rescoring = { ...(rescored !== undefined && { rescored }), ...(oversampling !== undefined && { oversampling }) };
  const rowsMax = sliceOf(sweptCost({ rows: 1, bytes }));
  return lookAt(look, rowsMax, (range) => reader.scanQuantized(query, { ...range, ...rescoring }));
}

/** Nearly always the nearest of what the chosen groups hold. */
export async function sweepGroups(
  { reader, query, k, bytes, pacer, rescored, oversampling }: Look,
  groups: GroupLook,
): Promise<readonly RankedRow[]> {
  const rescoring = { ...(rescored !== undefined && { rescored }), ...(oversampling !== undefined && { oversampling }) };
  const rowsMax = sliceOf(sweptCost({ rows: 1, bytes }));
  let best: readonly RankedRow[] = [];
  for (;;) {
    if (pacer.due()) await pacer.pause();
    const rows = groups.take(rowsMax);
    if (rows === undefined) return best;
    best = mergeNearest(best, ranked(reader.scanRowsQuantized(query, { k, rows, ...rescoring })), k);
  }
}

type Slice = { readonly k: number; readonly fromRow: number; readonly toRow: number; readonly filter?: Uint32Array };

async function lookAt(
  { reader, k, rows, pacer }: Look,
  rowsMax: number,
  look: (slice: Slice) => Neighbours,
): Promise<readonly RankedRow[]> {
  let best: readonly RankedRow[] = [];
  for (let fromRow = 0; fromRow < reader.rowBound; ) {
    if (pacer.due()) await pacer.pause();
    const toRow = sliceEnd({ fromRow, rows, rowsMax, rowBound: reader.rowBound });
    best = mergeNearest(best, ranked(look({ k, fromRow, toRow, ...(rows === undefined ? {} : { filter: rows.set.words }) })), k);
    fromRow = toRow;
  }
  return best;
}

function sliceOf(rowCost: number): number {
  return Math.max(64, Math.floor(SLICE_COST / rowCost));
}

/** Where a slice from `fromRow` on ends that holds about `rowsMax` of the rows. */
function sliceEnd({
  fromRow,
  rows,
  rowsMax,
  rowBound,
}: {
  readonly fromRow: number;
  readonly rows: MatchingRows | undefined;
  readonly rowsMax: number;
  readonly rowBound: number;
}): number {
  if (rows === undefined) return Math.min(fromRow + rowsMax, rowBound);
  return rows.count <= rowsMax ? rowBound : Math.min(rows.set.endOf(fromRow, rowsMax), rowBound);
}
