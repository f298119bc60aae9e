// SPDX-License-Identifier: Apache-2.0
/** The rows nearest to a query, from the kernel, by whichever plan fits the request. */
import type { SearchParams } from '@sextant/contracts-vector';
import type { Components, Neighbours, RescoringOptions, ShardedSpaceReader } from '@sextant/vector-kernel';
import { HNSW_DEFAULTS, type HnswDefaults, hnswOf } from '../../model/collection-config.ts';
import { vectorBytes } from '../../model/datatype.ts';
import type { SpaceSchema } from '../../model/vectors.ts';
import type { ClusterSearch } from '../ivf/filter-clusters.ts';
import { asCentroid } from '../ivf/k-means.ts';
import type { RowFilter } from '../matching/row-filter.ts';
import type { MatchingRows } from '../matching-rows.ts';
import type { Pacer } from '../pacer.ts';
import { clusterScanCost, quantizedScanCost, type RowBytes } from '../search-costs.ts';
import { mergeNearest, type RankedRow, ranked } from '../top-rows.ts';
import type { CollectionView } from '../view/collection-view.ts';
import { type Scan, scanAll, scanAllQuantized, scanClusters } from './full-scan.ts';
import { notePlan } from './noted-plans.ts';
import { type PlanInput, planSearch, type RowPlan, type SearchPlan } from './plan.ts';
import { trainInBackground } from './train-in-background.ts';

/** The share of a filter's rows, those of the nearest clusters, that is scanned first. */
const NEAREST_SHARE = 0.06;

/** A quantized scan of this many rows rescores six times as many as are wanted: among the farther half of GloVe-100 (100,000 rows) recall is 0.951 instead of 0.944, in 5 % more time. */
const MANY_ROWS = 20_000;
const OVERSAMPLING_OF_MANY = 6;

export type RowSearch = {
  readonly view: CollectionView;
  readonly schema: SpaceSchema;
  readonly reader: ShardedSpaceReader;
  readonly query: Components;
  readonly filter: RowFilter | undefined;
  /** The number of rows to find; fewer come back only when there are no more. */
  readonly count: number;
  readonly ef: number;
  readonly exact: boolean;
  readonly quantization: SearchParams['quantization'];
  readonly pacer: Pacer;
};

export async function nearestRows(search: RowSearch): Promise<readonly RankedRow[]> {
  for (let shareFound = 1; ; ) {
    const plan = planSearch(inputOf(search, shareFound));
    notePlan(plan, () => ({ vector: search.schema.name, count: search.count, candidates: search.filter?.candidates?.count ?? null }));
    if (plan.kind === 'evaluate') {
      await search.filter?.rows(search.pacer);
      continue;
    }
    const found = await rowsByPlan(search, plan);
    if (plan.kind !== 'post-check' || found.length >= search.count) return found;
    // Fewer match around the query than elsewhere; what was spent brings the evaluation of all nearer.
    shareFound = (found.length + 0.5) / (2 * plan.count);
    if (search.pacer.due()) await search.pacer.pause();
  }
}

/** As `nearestRows`, with a plan of the caller's choice: a post-check may return fewer rows, none of them wrong. */
export async function rowsByPlan(search: RowSearch, plan: SearchPlan): Promise<readonly RankedRow[]> {
  const { filter, count } = search;
  switch (plan.kind) {
    case 'evaluate':
      return nearestAmong(search, { plan: { kind: 'scan' }, rows: await filter?.rows(search.pacer), k: count });
    case 'post-check': {
      const nearest = await nearestAmong(search, { plan: plan.among, rows: filter?.candidates, k: plan.count });
      filter?.spend(plan.cost);
      const passing: RankedRow[] = [];
      for (const candidate of nearest) {
        if (passing.length === count) break;
        if (filter?.decides(candidate.row) !== false) passing.push(candidate);
        if (search.pacer.due()) await search.pacer.pause();
      }
      return passing;
    }
    default:
      return nearestAmong(search, { plan, rows: await filter?.rows(search.pacer), k: count });
  }
}

type Among = { readonly plan: RowPlan; readonly rows: MatchingRows | undefined; readonly k: number };

async function nearestAmong(search: RowSearch, { plan, rows, k }: Among): Promise<readonly RankedRow[]> {
  const bare = { ...search, k, rows, bytes: rowBytesOf(search) };
  const first = { ...bare, ...rescoring(search, k) };
  const scan = { ...bare, ...rescoringAmong(search, { rows, k }) };
  switch (plan.kind) {
    case 'scan':
      return scanAll(scan);
    case 'quantized-scan': {
      const found = await scanAllQuantized(scan);
      if (plan.lacking !== undefined && rows !== undefined) spendWithoutClusters(search, rows, plan.lacking);
      return found;
    }
    case 'graph': {
      const found = searchGraph(search, plan, { rows, k });
      // If a graph search finds fewer than exist, all matching rows are scanned.
      return rows !== undefined && found.rows.length < Math.min(k, rows.count) ? scanAllQuantized(scan) : ranked(found);
    }
    case 'ivf': {
      const found = rows === undefined ? [] : await byClusters(search, { first, scan, rows, probeBound: plan.probeBound });
      return found.length < Math.min(k, rows?.count ?? k) ? scanAllQuantized(scan) : found;
    }
    case 'trial': {
      const found = await scanAllQuantized(scan);
      if (rows !== undefined) await tryClusters(search, { first, scan, rows, scanned: found });
      return found;
    }
  }
}

/** How the nearest clusters are scanned, and how all others are. */
type AmongClusters = { readonly first: Scan; readonly scan: Scan; readonly rows: MatchingRows };

/** The nearest clusters tell how near a row of any other has to be. */
async function byClusters(
  search: RowSearch,
  { first, scan, rows, probeBound }: AmongClusters & { readonly probeBound: number },
): Promise<readonly RankedRow[]> {
  const known = search.filter?.clusters(search.schema.ordinal);
  const probe = known?.trained?.probe(asCentroid(search.query, search.reader.metric), rows);
  if (probe === undefined) return [];
  probe.chooseNearest(NEAREST_SHARE);
  // These rows only set the bound, and the nearest of them are seldom missed: as few are rescored as for a few rows.
  const nearest = await scanClusters(first, probe);
  const others = probe.chooseWithin(maxDistanceOf(nearest, scan.k), probeBound);
  known?.trial(search.count).noteShare(probe.share);
  // A scan of all rows in their order costs less than a scan of nearly all clusters.
  if (clusterScanCost({ rows: others, bytes: scan.bytes }) > quantizedScanCost({ rows: rows.count, bytes: scan.bytes }))
    return scanAllQuantized(scan);
  return mergeNearest(nearest, await scanClusters(scan, probe), scan.k);
}

async function tryClusters(
  search: RowSearch,
  { first, rows, scan, scanned }: AmongClusters & { readonly scanned: readonly RankedRow[] },
): Promise<void> {
  const known = search.filter?.clusters(search.schema.ordinal);
  const probe = known?.trained?.probe(asCentroid(search.query, search.reader.metric), rows);
  if (probe === undefined) return;
  probe.chooseNearest(NEAREST_SHARE);
  const maxDistance = maxDistanceOf(await scanClusters(first, probe), scan.k);
  const found = scanned.map(({ row }) => row);
  known?.note(found, { probe, maxDistance, count: search.count, ef: search.ef });
}

function maxDistanceOf(nearest: readonly RankedRow[], k: number): number {
  return nearest.length < k ? Number.POSITIVE_INFINITY : (nearest.at(-1)?.distance ?? 0);
}

function searchGraph(
  search: RowSearch,
  { ef }: { readonly ef: number },
  { rows, k }: { readonly rows: MatchingRows | undefined; readonly k: number },
): Neighbours {
  const among = rows && { filter: rows.set.words };
  return search.reader.search(search.query, { k, ef, ...among, ...rescoring(search, k) });
}

function clusterSearchOf(search: RowSearch, matching: MatchingRows): ClusterSearch {
  return { matching, dimension: search.reader.dimension, bytes: rowBytesOf(search), count: search.count, ef: search.ef };
}

function spendWithoutClusters(search: RowSearch, matching: MatchingRows, cost: number): void {
  const { filter, schema, view } = search;
  const clusters = filter?.clusters(schema.ordinal);
  if (clusters?.spend(cost, clusterSearchOf(search, matching)).isTime !== true) return;
  const source = {
    dimension: schema.params.size,
    metric: search.reader.metric,
    rows: matching.set.toArray(),
    intact: matching.set.clone(),
  };
  void trainInBackground(view, clusters, { ...source, vector: (row) => view.storage.vector(schema.ordinal, row) });
}

function inputOf(search: RowSearch, shareFound: number): PlanInput {
  const { reader, filter, schema, view } = search;
  const hnsw = hnswOf(view.config, schema.params);
  const open = filter === undefined || filter.matching !== undefined ? undefined : filter.open;
  return {
    // A graph search does not read vectors from storage.
    exact: search.exact || (search.quantization?.ignore === true && reader.readsOriginals),
    count: search.count,
    indexedCount: reader.indexedCount,
    liveCount: reader.liveCount,
    graphs: reader.shards.length,
    ef: search.ef,
    m: hnsw.m,
    bytes: rowBytesOf(search),
    fullScanBytes: fullScanBytesOf(hnsw),
    candidateCount: filter?.candidates?.count,
    ...(open && { open: { ...open, share: Math.min(open.share, shareFound) } }),
    clusters: (scanCost) => {
      const matching = filter?.matching;
      const clusters = filter?.clusters(schema.ordinal);
      if (matching === undefined || clusters === undefined) return { kind: 'none' };
      return clusters.advise(clusterSearchOf(search, matching), scanCost);
    },
    shareAround: () => reader.passingShare(search.query, filter?.candidates?.set.words ?? new Uint32Array()),
  };
}

function rowBytesOf({ reader, schema, quantization }: RowSearch): RowBytes {
  const vector = vectorBytes(schema.params);
  const isVectorStored = reader.readsOriginals;
  if (quantization?.ignore === true) return { vector, code: vector, isVectorStored };
  return { vector, code: reader.comparedBytes, isVectorStored, ...(reader.comparesProjections && { projected: reader.dimension }) };
}

/** What the request says of rescoring. Without rescoring the codes alone choose, and only the hits are measured, so that their scores are those of the vectors. */
function rescoring({ quantization }: RowSearch, k: number): RescoringOptions {
  if (quantization?.ignore === true) return { rescored: 0 };
  if (quantization?.rescore === false) return { rescored: k };
  return quantization?.oversampling == null ? {} : { oversampling: quantization.oversampling };
}

/** Among very many rows more have nearly the same code distance; projections need no oversampling for that. */
function rescoringAmong(search: RowSearch, { rows, k }: { readonly rows: MatchingRows | undefined; readonly k: number }): RescoringOptions {
  const asked = rescoring(search, k);
  const isAsked = asked.rescored !== undefined || asked.oversampling !== undefined;
  const isPlain = !isAsked && !search.reader.comparesProjections && !search.reader.readsOriginals;
  return isPlain && (rows?.count ?? 0) >= MANY_ROWS ? { oversampling: OVERSAMPLING_OF_MANY } : asked;
}

/** The default holds for engines that know only one way to scan; here the costs decide better, unless a collection says otherwise. */
function fullScanBytesOf({ full_scan_threshold: kilobytes }: HnswDefaults): number {
  return kilobytes === HNSW_DEFAULTS.full_scan_threshold ? 0 : kilobytes * 1024;
}
