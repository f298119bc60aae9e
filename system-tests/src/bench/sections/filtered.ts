// SPDX-License-Identifier: Apache-2.0
/** Filters: those that know nothing of the query's surroundings, those that pass them, and those that pass what is far away. */

import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Filter, NearestRequest } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type Engine, openEmbeddedEngine } from '@sextant/vector-collection';
import { GRAPH_ALWAYS } from '../../graph-config.ts';
import { type DataSet, openDataSet, readVectors, type VectorFile, vectorAt } from '../data-sets/data-set.ts';
import { type ExactSearch, exactSearch, LIMIT } from '../data-sets/truth.ts';
import { M } from '../libraries/library.ts';
import { fixed, table, whole } from '../markdown.ts';
import { median, recallOf } from '../statistics.ts';
import { type Group, type GroupField, makeGroups, type Surroundings } from './filter-groups.ts';
import type { Section } from './section.ts';

const SETS = ['GloVe-100', 'Fashion-MNIST'] as const;
const COLLECTION = 'bench';
const INDEXED: GroupField = 'groups';
const BATCH = 1000;
const EF_CONSTRUCT = 128;
/** The first of these that reaches the wanted recall without a filter; with a filter no smaller one would do. */
const EFS = [128, 256, 512, 1024];
const RECALL = 0.95;
/** Of 28 filters, each with an exact scan: more would take hours. */
const QUERIES_MAX = 200;
const SEED = 20_260_104;
const POLL_MS = 50;
/** Searches by a filter before it is measured, as what is learned of some filters takes them: it begins when searches have spent as much as it costs, and goes on between them. */
const FORMER_SEARCHES = 1500;

type GroupFigures = {
  readonly surroundings: Surroundings;
  readonly share: number;
  readonly recall: number;
  /** Processor time of one search. */
  readonly microseconds: number;
  readonly scanMicroseconds: number;
  readonly unfilteredMicroseconds: number;
};

type SetFigures = {
  readonly set: string;
  readonly points: number;
  readonly dimension: number;
  readonly ef: number;
  readonly groups: readonly GroupFigures[];
};
type Figures = { readonly rounds: number; readonly sets: readonly SetFigures[] };

export const filtered: Section<Figures> = {
  title: 'Filtered searches',
  measure: async (scale) => {
    const sets: SetFigures[] = [];
    for (const name of SETS) {
      const set = await openDataSet(name, { points: scale.points[name], queries: Math.min(scale.queries, QUERIES_MAX) });
      const { queries: held } = await openDataSet(name, { points: scale.points[name], queries: Number.POSITIVE_INFINITY });
      sets.push({ set: name, points: set.points.count, dimension: set.points.dimension, ...(await measureSet(set, held, scale.rounds)) });
    }
    return { rounds: scale.rounds, sets };
  },
  render: ({ rounds, sets }) => {
    const rows = sets.flatMap(({ set, points, dimension, ef, groups }) =>
      groups.map(({ surroundings, share, recall, microseconds, scanMicroseconds, unfilteredMicroseconds }) => {
        const bound = Math.min(scanMicroseconds, 2 * unfilteredMicroseconds);
        const times = [microseconds, scanMicroseconds, unfilteredMicroseconds].map((value) => whole(value));
        return [
          `${set}, ${whole(points)} x ${dimension}, ef ${ef}`,
          surroundings,
          `${share * 100} %`,
          fixed(recall, 4),
          ...times,
          fixed(microseconds / bound, 2),
        ];
      }),
    );
    return [
      `Searches run through the engine in process, including payload filters and storage. Times are processor time in microseconds, medians of ${2 * rounds} interleaved rounds. Searches use`,
      `the first ef of ${EFS.join(', ')} that reaches a recall of ${RECALL} without a filter.`,
      `Each filter requires one keyword. Before the measurement it was used in ${whole(FORMER_SEARCHES)} searches with other queries of the same region (a hundred or more), so the engine's caches for the filter`,
      'are warm; random filters are used once. The field has an index, except where a random filter says otherwise. A correlated filter matches the points nearest',
      'to the region of the queries, an anti-correlated one the points farthest from it.',
      '"Of bound" is the time divided by the lower bound: the faster of an exact scan of the candidates and twice the unfiltered search.',
      '',
      table(['', 'filter', 'passes', `recall@${LIMIT}`, 'filtered', 'exact scan', 'unfiltered', 'of bound'], rows),
    ].join('\n');
  },
};

async function measureSet(set: DataSet, held: VectorFile, rounds: number): Promise<Pick<SetFigures, 'ef' | 'groups'>> {
  await using data = await temporaryDirectory();
  const exact = await exactSearch(set);
  const queries = await readVectors(held, 0, held.count);
  const queryAt = (query: number) => vectorAt(queries, query, held.dimension);
  const groups = await makeGroups(set, held, seededRandom(SEED));
  const engine = await openEmbeddedEngine({ dataDirectory: data.path, clock: systemClock, random: seededRandom(SEED) });
  try {
    console.log(`filtered: the engine stores and indexes ${set.points.count} points of ${set.name}`);
    await fill(engine, set, groups);
    const ef = await smallestEf(engine, { set, queryAt, exact });
    const figures: GroupFigures[] = [];
    for (const group of groups) {
      console.log(`filtered: ${group.surroundings}, ${group.share * 100} %`);
      const truth = group.queries.map((query) => exact(queryAt(query), group.rows));
      figures.push({
        surroundings: group.surroundings,
        share: group.share,
        ...(await measureGroup(engine, group, { queryAt, truth, rounds, ef })),
      });
    }
    return { ef, groups: mergeAnchors(figures) };
  } finally {
    await engine.close();
  }
}

type Measurement = {
  readonly queryAt: (query: number) => Float32Array;
  readonly truth: readonly (readonly number[])[];
  readonly rounds: number;
  readonly ef: number;
};

async function smallestEf(
  engine: Engine,
  { set, queryAt, exact }: { readonly set: DataSet; readonly queryAt: Measurement['queryAt']; readonly exact: ExactSearch },
): Promise<number> {
  const queries = Array.from({ length: set.queries.count }, (_, query) => queryAt(query));
  const truth = queries.map((query) => exact(query));
  for (const ef of EFS) {
    const found: (readonly number[])[] = [];
    for (const query of queries) {
      const hits = await engine.nearest(COLLECTION, { vector: Array.from(query), limit: LIMIT, params: { hnsw_ef: ef } });
      found.push(hits.map(({ id }) => Number(id)));
    }
    if (recallOf(found, truth, LIMIT) >= RECALL) return ef;
  }
  throw new Error(`no ef reaches a recall of ${RECALL} among ${set.points.count} points of ${set.name}`);
}

async function measureGroup(engine: Engine, group: Group, { queryAt, truth, rounds, ef }: Measurement) {
  const vectors = group.queries.map((query) => Array.from(queryAt(query)));
  const filter: Filter = { must: { key: group.field, match: { value: group.name } } };
  const ways: readonly Omit<NearestRequest, 'vector' | 'limit'>[] = [
    { filter, params: { hnsw_ef: ef } },
    { params: { hnsw_ef: ef } },
    { filter, params: { exact: true } },
  ];
  for (let search = 0; search < FORMER_SEARCHES && group.former.length > 0; search++) {
    const vector = Array.from(queryAt(group.former[search % group.former.length] ?? 0));
    await engine.nearest(COLLECTION, { vector, limit: LIMIT, ...ways[0] });
    await turn();
  }
  const costs = ways.map((): number[] => []);
  let answers: (readonly number[])[] = [];
  // The first round, in which filters are prepared and code is compiled, counts for recall alone. The others go there and back again: what
  // two ways read both is in the cache for the second of them, and each is as often the second.
  for (let round = 0; round <= 2 * rounds; round++) {
    for (const way of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
      const request = ways[way];
      const found: (readonly number[])[] = [];
      const before = process.cpuUsage();
      for (const vector of vectors) {
        const hits = await engine.nearest(COLLECTION, { vector, limit: LIMIT, ...request });
        found.push(hits.map(({ id }) => Number(id)));
      }
      const { user, system } = process.cpuUsage(before);
      if (round > 0) costs[way]?.push((user + system) / vectors.length);
      else if (way === 0) answers = found;
    }
  }
  const [microseconds = Number.NaN, unfilteredMicroseconds = Number.NaN, scanMicroseconds = Number.NaN] = costs.map(median);
  return { recall: recallOf(answers, truth, LIMIT), microseconds, scanMicroseconds, unfilteredMicroseconds };
}

/** One row for each share and kind: the mean of the places where queries were asked. */
function mergeAnchors(figures: readonly GroupFigures[]): readonly GroupFigures[] {
  const merged = Map.groupBy(figures, ({ surroundings, share }) => `${surroundings} ${share}`);
  return Array.from(merged.values(), (all) => {
    const mean = (figure: 'recall' | 'microseconds' | 'scanMicroseconds' | 'unfilteredMicroseconds') =>
      all.reduce((sum, each) => sum + each[figure], 0) / all.length;
    const { surroundings, share } = all[0] ?? { surroundings: 'random', share: 0 };
    return {
      surroundings,
      share,
      recall: mean('recall'),
      microseconds: mean('microseconds'),
      scanMicroseconds: mean('scanMicroseconds'),
      unfilteredMicroseconds: mean('unfilteredMicroseconds'),
    };
  });
}

async function fill(engine: Engine, { points, metric }: DataSet, groups: readonly Group[]): Promise<void> {
  await engine.createCollection(COLLECTION, {
    vectors: { size: points.dimension, distance: metric },
    ...GRAPH_ALWAYS,
    hnsw_config: { ...GRAPH_ALWAYS.hnsw_config, m: M, ef_construct: EF_CONSTRUCT },
  });
  await engine.createFieldIndex(COLLECTION, INDEXED, { type: 'keyword' });
  for (let from = 0; from < points.count; from += BATCH) {
    const to = Math.min(points.count, from + BATCH);
    const values = await readVectors(points, from, to);
    const inputs = Array.from({ length: to - from }, (_, at) => {
      const id = from + at;
      const its = groups.filter(({ rows }) => ((rows[id >> 5] ?? 0) & (1 << (id & 31))) !== 0);
      const namesIn = (wanted: GroupField) => its.filter(({ field }) => field === wanted).map(({ name }) => name);
      return {
        id,
        vector: Array.from(vectorAt(values, at, points.dimension)),
        payload: { groups: namesIn('groups'), open: namesIn('open') },
      };
    });
    await engine.upsert(COLLECTION, inputs);
  }
  for (;;) {
    const { status, indexed_vectors_count: indexed } = await engine.collectionInfo(COLLECTION);
    if (status === 'green' && indexed === points.count) return;
    await sleep(POLL_MS);
  }
}
