/** The rows nearest to a query, from the kernel, by whichever plan fits the request. */
import type { SearchParams } from '@sextant/contracts-vector';
import type { SpaceReader } from '@sextant/vector-kernel';
import { RowSet } from '@sextant/vector-storage';
import { HNSW_DEFAULTS, type HnswDefaults, hnswOf } from '../collection-config.ts';
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
  readonly quantization: SearchParams['quantization'];
  readonly pacer: Pacer;
};

export async function nearestRows(search: RowSearch): Promise<readonly RankedRow[]> {
  const { reader, filter, schema, view } = search;
  const hnsw = hnswOf(view.config, schema.params);
  const known = filter?.knownRows;
  const plan = planSearch({
    exact: search.exact,
    indexedCount: reader.indexedCount,
    liveCount: reader.liveCount,
    ef: search.ef,
    m: hnsw.m,
    dimension: schema.params.size,
    fullScanBytes: fullScanBytesOf(hnsw),
    filter: filter === undefined ? 'none' : known === undefined ? 'to-evaluate' : 'known-rows',
    candidateCount: filter?.candidates?.count() ?? reader.liveCount,
    shareAround: () => reader.passingShare(search.query, known?.words ?? new Uint32Array()),
  });
  switch (plan.kind) {
    case 'scan-all':
      return lookAtAll(search, undefined, 'scan');
    case 'graph':
      return ranked(reader.search(search.query, { k: search.count, ef: search.ef, ...rescoring(search, search.count) }));
    case 'scan-candidates':
      return lookAtAll(search, await filter?.rows(search.pacer), 'scan');
    case 'sweep-candidates':
      return lookAtAll(search, known, 'sweep');
    case 'filtered-graph':
      return filteredGraph(search, known ?? new RowSet(), plan.ef);
    case 'post-check':
      return postCheck(search);
  }
}

/** A walk that ends before it has all the hits that exist is followed by a look at all candidates. */
async function filteredGraph(search: RowSearch, rows: RowSet, ef: number): Promise<readonly RankedRow[]> {
  const found = search.reader.search(search.query, { k: search.count, ef, filter: rows.words, ...rescoring(search, search.count) });
  return found.rows.length < Math.min(search.count, rows.count()) ? lookAtAll(search, rows, 'sweep') : ranked(found);
}

async function postCheck(search: RowSearch): Promise<readonly RankedRow[]> {
  const { reader, filter, query, count } = search;
  for (const growth of POST_CHECK_GROWTH) {
    const k = count * growth;
    if (k >= reader.liveCount) break;
    const candidates = filter?.candidates;
    const ef = Math.max(search.ef, k);
    const found = ranked(reader.search(query, { k, ef, ...(candidates ? { filter: candidates.words } : {}), ...rescoring(search, k) }));
    const passing = found.filter(({ row }) => rowMatches(search, row));
    if (passing.length >= count) return passing.slice(0, count);
    if (search.pacer.due()) await search.pacer.pause();
  }
  const rows = (await filter?.rows(search.pacer)) ?? new RowSet();
  return lookAtAll(search, rows, 'sweep');
}

/** Every row, or every row of a set: exactly by a scan, by codes first in a sweep. */
async function lookAtAll(search: RowSearch, rows: RowSet | undefined, look: 'scan' | 'sweep'): Promise<readonly RankedRow[]> {
  const { reader, query, pacer, count } = search;
  const rowBytes = search.schema.params.size * Float32Array.BYTES_PER_ELEMENT;
  const slice = Math.max(64, Math.floor(SCAN_SLICE_BYTES / rowBytes));
  let best: readonly RankedRow[] = [];
  for (let fromRow = 0; fromRow < reader.rowBound; fromRow += slice) {
    if (pacer.due()) await pacer.pause();
    const toRow = Math.min(fromRow + slice, reader.rowBound);
    const range = { k: count, fromRow, toRow, ...(rows === undefined ? {} : { filter: rows.words }) };
    const found = look === 'scan' ? reader.scan(query, range) : reader.sweep(query, { ...range, ...rescoring(search, search.count) });
    best = mergeNearest(best, ranked(found), count);
  }
  return best;
}

/** How many rows are measured by their vectors when `k` are asked for; the kernel has a number of its own. */
function rescoring({ quantization }: RowSearch, k: number): { readonly rescored?: number } {
  if (quantization?.ignore === true) return { rescored: 0 };
  if (quantization?.rescore === false) return { rescored: k };
  if (quantization?.oversampling == null) return {};
  return { rescored: Math.ceil(k * Math.max(1, quantization.oversampling)) };
}

/** The default holds for engines that know only one way to scan; here the costs decide better, unless a collection says otherwise. */
function fullScanBytesOf({ full_scan_threshold: kilobytes }: HnswDefaults): number {
  return kilobytes === HNSW_DEFAULTS.full_scan_threshold ? 0 : kilobytes * 1024;
}

function rowMatches(search: RowSearch, row: number): boolean {
  const point = search.view.storage.point(row);
  return point !== undefined && (search.filter?.matches(row, point) ?? true);
}
