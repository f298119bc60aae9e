/** The rows nearest to a query, from the kernel, by whichever plan fits the request. */
import type { SearchParams } from '@sextant/contracts-vector';
import type { Components, Neighbours, RescoringOptions, ShardedSpaceReader } from '@sextant/vector-kernel';
import { HNSW_DEFAULTS, type HnswDefaults, hnswOf } from '../collection-config.ts';
import type { CollectionView } from '../collection-view.ts';
import { vectorBytes } from '../datatype.ts';
import type { Pacer } from '../pacer.ts';
import type { SpaceSchema } from '../vectors.ts';
import { scanAll, sweepAll } from './look-at-all.ts';
import type { MatchingRows } from './matching-rows.ts';
import { type PlanInput, planSearch, type RowPlan, type SearchPlan } from './plan.ts';
import type { RowFilter } from './row-filter.ts';
import type { RowBytes } from './search-costs.ts';
import { type RankedRow, ranked } from './top-rows.ts';
import type { WalkTrial } from './walk-trial.ts';

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
  const look = { ...search, k, rows, bytes: rowBytesOf(search), ...rescoring(search, k) };
  switch (plan.kind) {
    case 'scan':
      return scanAll(look);
    case 'sweep': {
      const swept = await sweepAll(look);
      if (plan.teaches) walkTrialOf(search)?.note(swept.map(({ row }) => row));
      return swept;
    }
    case 'walk': {
      const found = walk(search, plan, { rows, k });
      // A walk that ends before it has all the hits that exist is followed by a look at every row that passes.
      return rows !== undefined && found.rows.length < Math.min(k, rows.count) ? sweepAll(look) : ranked(found);
    }
    case 'trial': {
      const walked = walk(search, { ef: plan.ef, isTaught: true }, { rows, k });
      const swept = await sweepAll(look);
      walkTrialOf(search)?.note(
        swept.map(({ row }) => row),
        new Set(walked.rows),
      );
      return swept;
    }
  }
}

function walk(
  search: RowSearch,
  { ef, isTaught }: { readonly ef: number; readonly isTaught?: true },
  { rows, k }: { readonly rows: MatchingRows | undefined; readonly k: number },
): Neighbours {
  const starts = isTaught && walkTrialOf(search)?.starts;
  const among = { ...(rows && { filter: rows.set.words }), ...(starts && { starts }) };
  return search.reader.search(search.query, { k, ef, ...among, ...rescoring(search, k) });
}

function walkTrialOf({ filter, schema, count, ef }: RowSearch): WalkTrial | undefined {
  return filter?.walkTrial({ ordinal: schema.ordinal, count, ef });
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
    advice: (timesMax) => walkTrialOf(search)?.advise(timesMax) ?? { kind: 'sweep' },
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

/** The default holds for engines that know only one way to scan; here the costs decide better, unless a collection says otherwise. */
function fullScanBytesOf({ full_scan_threshold: kilobytes }: HnswDefaults): number {
  return kilobytes === HNSW_DEFAULTS.full_scan_threshold ? 0 : kilobytes * 1024;
}
