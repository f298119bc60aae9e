/** The rows nearest to a query, from the kernel, by whichever plan fits the request. */
import type { SpaceReader } from '@sextant/vector-kernel';
import { RowSet } from '@sextant/vector-storage';
import { hnswOf } from '../collection-config.ts';
import type { CollectionView } from '../collection-view.ts';
import type { Pacer } from '../pacer.ts';
import type { SpaceSchema } from '../vectors.ts';
import { planSearch } from './plan.ts';
import type { RowFilter } from './row-filter.ts';
import { mergeNearest, type RankedRow, ranked } from './top-rows.ts';

/** Bytes of vectors in one slice of a scan: about 2 ms of reading memory. */
const SCAN_SLICE_BYTES = 8 * 1024 * 1024;
/** A post-check looks at up to this many times the wanted rows before every payload is evaluated instead. */
const POST_CHECK_GROWTH = [4, 32];

export type RowSearch = {
  readonly view: CollectionView;
  readonly schema: SpaceSchema;
  readonly reader: SpaceReader;
  readonly query: Float32Array;
  readonly filter: RowFilter | undefined;
  /** How many rows are asked for; fewer come back only when there are no more. */
  readonly count: number;
  readonly ef: number;
  readonly exact: boolean;
  readonly pacer: Pacer;
};

export async function nearestRows(search: RowSearch): Promise<readonly RankedRow[]> {
  const { reader, filter, schema, view } = search;
  const hnsw = hnswOf(view.config, schema.params);
  const plan = planSearch({
    exact: search.exact,
    indexedCount: reader.indexedCount,
    liveCount: reader.liveCount,
    ef: search.ef,
    m: hnsw.m,
    bytesPerVector: schema.params.size * Float32Array.BYTES_PER_ELEMENT,
    fullScanBytes: hnsw.full_scan_threshold * 1024,
    filter: filter === undefined ? 'none' : filter.knownRows === undefined ? 'to-evaluate' : 'known-rows',
    candidateCount: filter?.candidates?.count() ?? reader.liveCount,
  });
  switch (plan.kind) {
    case 'scan-all':
      return scan(search, undefined);
    case 'graph':
      return ranked(reader.search(search.query, { k: search.count, ef: search.ef }));
    case 'scan-candidates':
      return scan(search, await filter?.rows(search.pacer));
    case 'filtered-graph':
      return filteredGraph(search, (await filter?.rows(search.pacer)) ?? new RowSet());
    case 'post-check':
      return postCheck(search);
  }
}

/** A walk that strands before it has all the hits that exist is followed by a scan of the candidates. */
async function filteredGraph(search: RowSearch, rows: RowSet): Promise<readonly RankedRow[]> {
  const found = search.reader.search(search.query, { k: search.count, ef: search.ef, filter: rows.words });
  return found.rows.length < Math.min(search.count, rows.count()) ? scan(search, rows) : ranked(found);
}

async function postCheck(search: RowSearch): Promise<readonly RankedRow[]> {
  const { reader, filter, query, count } = search;
  for (const growth of POST_CHECK_GROWTH) {
    const k = count * growth;
    if (k >= reader.liveCount) break;
    const candidates = filter?.candidates;
    const found = ranked(reader.search(query, { k, ef: Math.max(search.ef, k), ...(candidates ? { filter: candidates.words } : {}) }));
    const passing = found.filter(({ row }) => rowMatches(search, row));
    if (passing.length >= count) return passing.slice(0, count);
    if (search.pacer.due()) await search.pacer.pause();
  }
  const rows = (await filter?.rows(search.pacer)) ?? new RowSet();
  return scan(search, rows);
}

async function scan(search: RowSearch, rows: RowSet | undefined): Promise<readonly RankedRow[]> {
  const { reader, query, pacer } = search;
  const rowBytes = search.schema.params.size * Float32Array.BYTES_PER_ELEMENT;
  const slice = Math.max(64, Math.floor(SCAN_SLICE_BYTES / rowBytes));
  let best: readonly RankedRow[] = [];
  for (let fromRow = 0; fromRow < reader.rowBound; fromRow += slice) {
    if (pacer.due()) await pacer.pause();
    const toRow = Math.min(fromRow + slice, reader.rowBound);
    const found = reader.scan(query, { k: search.count, fromRow, toRow, ...(rows === undefined ? {} : { filter: rows.words }) });
    best = mergeNearest(best, ranked(found), search.count);
  }
  return best;
}

function rowMatches(search: RowSearch, row: number): boolean {
  const point = search.view.storage.point(row);
  return point !== undefined && (search.filter?.matches(row, point) ?? true);
}
