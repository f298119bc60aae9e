/** The rows nearest to a query, from the kernel, by whichever plan fits the request. */
import type { SearchParams } from '@sextant/contracts-vector';
import type { Components, Neighbours, RescoringOptions, ShardedSpaceReader } from '@sextant/vector-kernel';
import { HNSW_DEFAULTS, type HnswDefaults, hnswOf } from '../model/collection-config.ts';
import { vectorBytes } from '../model/datatype.ts';
import type { SpaceSchema } from '../model/vectors.ts';
import type { CollectionView } from './collection-view.ts';
import type { GroupSearch } from './groups/filter-groups.ts';
import { asMean } from './groups/group-learning.ts';
import { learnBetween } from './groups/learn-between.ts';
import { type Look, scanAll, sweepAll, sweepGroups } from './look-at-all.ts';
import type { MatchingRows } from './matching-rows.ts';
import type { Pacer } from './pacer.ts';
import { type PlanInput, planSearch, type RowPlan, type SearchPlan } from './plan.ts';
import type { RowFilter } from './row-filter.ts';
import { groupedCost, type RowBytes, sweepCost } from './search-costs.ts';
import { mergeNearest, type RankedRow, ranked } from './top-rows.ts';

/** Of the rows of a filter, those of the nearest groups are looked at first. */
const NEAREST_GROUPS = 0.06;

/** Of so many rows that are looked at by their codes, so many times as are wanted are measured: among the farther half of 100,000 words that finds 0.951 in place of 0.944, in a twentieth more time. */
const MANY_ROWS = 20_000;
const OVERSAMPLING_OF_MANY = 6;

export type RowSearch = {
  readonly view: CollectionView;
  readonly schema: SpaceSchema;
  readonly reader: ShardedSpaceReader;
  readonly query: Components;
  readonly filter: RowFilter | undefined;
  /** How many rows are asked for; fewer come back only when there are no more. */
  readonly count: number;
  readonly ef: number;
  readonly exact: boolean;
  readonly quantization: SearchParams['quantization'];
  readonly pacer: Pacer;
};

export async function nearestRows(search: RowSearch): Promise<readonly RankedRow[]> {
  for (let shareFound = 1; ; ) {
    const plan = planSearch(inputOf(search, shareFound));
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

/** As `nearestRows`, by a plan of the caller's choice: fewer rows may come back from a post-check, none of them wrong. */
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
  const look = { ...bare, ...rescoringAmong(search, { rows, k }) };
  switch (plan.kind) {
    case 'scan':
      return scanAll(look);
    case 'sweep': {
      const swept = await sweepAll(look);
      if (plan.lacking !== undefined && rows !== undefined) spendWithoutGroups(search, rows, plan.lacking);
      return swept;
    }
    case 'walk': {
      const found = walk(search, plan, { rows, k });
      // A walk that ends before it has all the hits that exist is followed by a look at every row that passes.
      return rows !== undefined && found.rows.length < Math.min(k, rows.count) ? sweepAll(look) : ranked(found);
    }
    case 'groups': {
      const found = rows === undefined ? [] : await byGroups(search, { first, look, rows, reach: plan.reach });
      return found.length < Math.min(k, rows?.count ?? k) ? sweepAll(look) : found;
    }
    case 'trial': {
      const swept = await sweepAll(look);
      if (rows !== undefined) await tryGroups(search, { first, look, rows, swept });
      return swept;
    }
  }
}

/** How the nearest groups are looked at first, and how all else is. */
type AmongGroups = { readonly first: Look; readonly look: Look; readonly rows: MatchingRows };

/** The nearest groups say how near a row of another has to be. */
async function byGroups(
  search: RowSearch,
  { first, look, rows, reach }: AmongGroups & { readonly reach: number },
): Promise<readonly RankedRow[]> {
  const known = search.filter?.groups(search.schema.ordinal);
  const groups = known?.learned?.look(asMean(search.query, search.reader.metric), rows);
  if (groups === undefined) return [];
  groups.chooseNearest(NEAREST_GROUPS);
  // They tell how near is near, and their nearest are seldom left out: as few are measured as for a few rows.
  const nearest = await sweepGroups(first, groups);
  const others = groups.chooseWithin(boundOf(nearest, look.k), reach);
  known?.trial(search.count).noteShare(groups.share);
  // Row by row in their order costs less than nearly all of them group by group.
  if (groupedCost({ rows: others, bytes: look.bytes }) > sweepCost({ rows: rows.count, bytes: look.bytes })) return sweepAll(look);
  return mergeNearest(nearest, await sweepGroups(look, groups), look.k);
}

async function tryGroups(
  search: RowSearch,
  { first, look, rows, swept }: AmongGroups & { readonly swept: readonly RankedRow[] },
): Promise<void> {
  const known = search.filter?.groups(search.schema.ordinal);
  const groups = known?.learned?.look(asMean(search.query, search.reader.metric), rows);
  if (groups === undefined) return;
  groups.chooseNearest(NEAREST_GROUPS);
  const bound = boundOf(await sweepGroups(first, groups), look.k);
  const found = swept.map(({ row }) => row);
  known?.note(found, { groups, bound, count: search.count, ef: search.ef });
}

function boundOf(nearest: readonly RankedRow[], k: number): number {
  return nearest.length < k ? Number.POSITIVE_INFINITY : (nearest.at(-1)?.distance ?? 0);
}

function walk(
  search: RowSearch,
  { ef }: { readonly ef: number },
  { rows, k }: { readonly rows: MatchingRows | undefined; readonly k: number },
): Neighbours {
  const among = rows && { filter: rows.set.words };
  return search.reader.search(search.query, { k, ef, ...among, ...rescoring(search, k) });
}

function groupSearchOf(search: RowSearch, matching: MatchingRows): GroupSearch {
  return { matching, dimension: search.reader.dimension, bytes: rowBytesOf(search), count: search.count, ef: search.ef };
}

function spendWithoutGroups(search: RowSearch, matching: MatchingRows, cost: number): void {
  const { filter, schema, view } = search;
  const groups = filter?.groups(schema.ordinal);
  if (groups?.spend(cost, groupSearchOf(search, matching)).isTime !== true) return;
  const source = {
    dimension: schema.params.size,
    metric: search.reader.metric,
    rows: matching.set.toArray(),
    intact: matching.set.clone(),
  };
  void learnBetween(view, groups, { ...source, vector: (row) => view.storage.vector(schema.ordinal, row) });
}

function inputOf(search: RowSearch, shareFound: number): PlanInput {
  const { reader, filter, schema, view } = search;
  const hnsw = hnswOf(view.config, schema.params);
  const open = filter === undefined || filter.matching !== undefined ? undefined : filter.open;
  return {
    // Vectors that have to be read from storage are not walked on.
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
    groups: (sweepCost) => {
      const matching = filter?.matching;
      const groups = filter?.groups(schema.ordinal);
      if (matching === undefined || groups === undefined) return { kind: 'none' };
      return groups.advise(groupSearchOf(search, matching), sweepCost);
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

/** What is said of rescoring: without it the codes alone choose, and only the hits are measured, so that their scores are those of the vectors. */
function rescoring({ quantization }: RowSearch, k: number): RescoringOptions {
  if (quantization?.ignore === true) return { rescored: 0 };
  if (quantization?.rescore === false) return { rescored: k };
  return quantization?.oversampling == null ? {} : { oversampling: quantization.oversampling };
}

/** Of very many rows more lie as near as codes can tell; projections say themselves where they cannot. */
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
