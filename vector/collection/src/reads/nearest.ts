/**
 * Nearest points. The kernel answers with rows; storage, read after the kernel, says which points they are. A row that was
 * written after the request began is scored and filtered afresh, and when rows vanish under a request, it is asked again.
 */
import { type NearestRequest, type ScoredPoint, ServiceError } from '@sextant/contracts-vector';
import type { SpaceReader } from '@sextant/vector-kernel';
import { RowSet, type StoredPoint } from '@sextant/vector-storage';
import { hnswOf } from '../collection-config.ts';
import type { CollectionView } from '../collection-view.ts';
import { createPacer, type Pacer } from '../pacer.ts';
import { kernelDistance, metricOf, passesThreshold, type SpaceSchema, scoreOf, spaceNamed, storedVector } from '../vectors.ts';
import { planSearch } from './plan.ts';
import { type RecordMaker, recordMaker } from './records.ts';
import { RowFilter } from './row-filter.ts';
import { mergeNearest, type RankedRow, ranked } from './top-rows.ts';

/** Bytes of vectors in one slice of a scan: about 2 ms of reading memory. */
const SCAN_SLICE_BYTES = 8 * 1024 * 1024;
/** How often a request is asked again because points were deleted while it ran. */
const ATTEMPTS_MAX = 3;
/** A post-check looks at up to this many times the wanted hits before every payload is evaluated instead. */
const POST_CHECK_GROWTH = [4, 32];

type Search = {
  readonly view: CollectionView;
  readonly schema: SpaceSchema;
  readonly reader: SpaceReader;
  readonly query: Float32Array;
  readonly filter: RowFilter | undefined;
  readonly wanted: number;
  readonly ef: number;
  readonly exact: boolean;
  /** The row of the query point itself, which is no answer. */
  readonly excludedRow: number | undefined;
  readonly startSequence: number;
  readonly pacer: Pacer;
  readonly record: RecordMaker;
};

type Hit = { readonly score: number; readonly point: ScoredPoint };

export async function nearest(view: CollectionView, request: NearestRequest): Promise<readonly ScoredPoint[]> {
  const offset = request.offset ?? 0;
  const wanted = offset + request.limit;
  for (let attempt = 1; ; attempt++) {
    const search = prepare(view, request, wanted);
    const rows = await nearestRows(search);
    const { hits, vanished } = resolve(search, rows);
    if (vanished === 0 || hits.length >= wanted || attempt === ATTEMPTS_MAX) {
      return withinThreshold(search, hits, request).slice(offset, wanted);
    }
  }
}

function prepare(view: CollectionView, request: NearestRequest, wanted: number): Search {
  const schema = spaceNamed(view.spaces, request.using);
  const { query, row } = queryVector(view, schema, request.vector);
  return {
    view,
    schema,
    reader: view.reader(schema.ordinal),
    query,
    filter: request.filter == null ? undefined : new RowFilter(view, request.filter),
    wanted: row === undefined ? wanted : wanted + 1,
    ef: Math.max(request.params?.hnsw_ef ?? hnswOf(view.config, schema.params).ef_construct, wanted + 1),
    exact: request.params?.exact === true,
    excludedRow: row,
    startSequence: view.storage.sequence,
    pacer: createPacer(view.clock),
    record: recordMaker(view, request),
  };
}

function queryVector(view: CollectionView, schema: SpaceSchema, vector: NearestRequest['vector']) {
  if (!('id' in vector)) return { query: storedVector(schema.params, vector), row: undefined };
  const row = view.storage.rowOf(vector.id);
  if (row === undefined) throw new ServiceError('point_not_found', { id: vector.id });
  const query = view.storage.vector(schema.ordinal, row);
  if (query === undefined) {
    throw new ServiceError('invalid_request', { reason: `query: point ${vector.id} has no vector ${JSON.stringify(schema.name)}` });
  }
  return { query, row };
}

async function nearestRows(search: Search): Promise<readonly RankedRow[]> {
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
      return ranked(reader.search(search.query, { k: search.wanted, ef: search.ef }));
    case 'scan-candidates':
      return scan(search, await filter?.rows(search.pacer));
    case 'filtered-graph':
      return filteredGraph(search, (await filter?.rows(search.pacer)) ?? new RowSet());
    case 'post-check':
      return postCheck(search);
  }
}

/** A walk that strands before it has all the hits that exist is followed by a scan of the candidates. */
async function filteredGraph(search: Search, rows: RowSet): Promise<readonly RankedRow[]> {
  const found = search.reader.search(search.query, { k: search.wanted, ef: search.ef, filter: rows.words });
  return found.rows.length < Math.min(search.wanted, rows.count()) ? scan(search, rows) : ranked(found);
}

async function postCheck(search: Search): Promise<readonly RankedRow[]> {
  const { reader, filter, query, wanted } = search;
  for (const growth of POST_CHECK_GROWTH) {
    const k = wanted * growth;
    if (k >= reader.liveCount) break;
    const candidates = filter?.candidates;
    const found = ranked(reader.search(query, { k, ef: Math.max(search.ef, k), ...(candidates ? { filter: candidates.words } : {}) }));
    const passing = found.filter(({ row }) => rowMatches(search, row));
    if (passing.length >= wanted) return passing.slice(0, wanted);
    if (search.pacer.due()) await search.pacer.pause();
  }
  const rows = (await filter?.rows(search.pacer)) ?? new RowSet();
  return scan(search, rows);
}

async function scan(search: Search, rows: RowSet | undefined): Promise<readonly RankedRow[]> {
  const { reader, query, pacer } = search;
  const rowBytes = search.schema.params.size * Float32Array.BYTES_PER_ELEMENT;
  const slice = Math.max(64, Math.floor(SCAN_SLICE_BYTES / rowBytes));
  const k = Math.min(search.wanted, reader.liveCount);
  let best: RankedRow[] = [];
  if (k === 0) return best;
  for (let fromRow = 0; fromRow < reader.rowBound; fromRow += slice) {
    if (pacer.due()) await pacer.pause();
    const toRow = Math.min(fromRow + slice, reader.rowBound);
    const found = reader.scan(query, { k, fromRow, toRow, ...(rows === undefined ? {} : { filter: rows.words }) });
    best = mergeNearest(best, ranked(found), search.wanted);
  }
  return best;
}

function rowMatches(search: Search, row: number): boolean {
  const point = search.view.storage.point(row);
  return point !== undefined && (search.filter?.matches(row, point) ?? true);
}

/** Rows become points; what changed since the request began is checked again. */
function resolve(search: Search, rows: readonly RankedRow[]) {
  const { view, schema } = search;
  view.storage.refresh();
  const answers = rows.filter(({ row }) => row !== search.excludedRow);
  const hits: Hit[] = [];
  for (const { row, distance } of answers) {
    const point = view.storage.point(row);
    const current = point === undefined ? undefined : currentDistance(search, row, point, distance);
    if (point === undefined || current === undefined) continue;
    const score = scoreOf(schema.params.distance, current);
    hits.push({ score, point: { ...search.record(row, point), version: point.version, score } });
  }
  hits.sort((a, b) => nearerFirst(schema, a.score, b.score));
  return { hits, vanished: answers.length - hits.length };
}

/** The row's distance as of now; undefined when the point, as it is now, is no answer. */
function currentDistance(search: Search, row: number, point: StoredPoint, distance: number): number | undefined {
  const { view, schema, query, filter, startSequence } = search;
  if (point.version <= startSequence) return distance;
  if (filter !== undefined && !filter.matches(row, point)) return undefined;
  if (point.vectorVersion <= startSequence) return distance;
  const vector = view.storage.vector(schema.ordinal, row);
  return vector === undefined ? undefined : kernelDistance(metricOf(schema.params.distance), query, vector);
}

function nearerFirst(schema: SpaceSchema, a: number, b: number): number {
  return metricOf(schema.params.distance) === 'dot' ? b - a : a - b;
}

function withinThreshold({ schema }: Search, hits: readonly Hit[], { score_threshold: threshold }: NearestRequest): ScoredPoint[] {
  const passing = threshold == null ? hits : hits.filter(({ score }) => passesThreshold(schema.params.distance, score, threshold));
  return passing.map(({ point }) => point);
}
