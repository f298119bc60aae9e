// SPDX-License-Identifier: Apache-2.0
/** MaxSim over points of several vectors: exactly, and of the points that another vector chooses first; beside a plain loop over all. */
import { type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openEmbeddedEngine } from '@sextant/vector-collection';
import { fixed, table, whole } from '../markdown.ts';
import { median, recallOf } from '../statistics.ts';
import type { Section } from './section.ts';

const DIMENSION = 128;
const VECTORS = 50;
const QUERY_VECTORS = 32;
const K = 10;
/** Of queries, whose truth takes a second or more each. */
const QUERIES_MAX = 20;
const TOPICS = 100;
const TOPICS_PER_POINT = 4;
/** How far vectors lie from their topic, for each component. */
const SPREAD = 0.12;
const PREFETCHED = [100, 500, 2000] as const;
const SEED = 11;
const PER_WRITE = 50;

type Way = { readonly way: string; readonly milliseconds: number; readonly recall: number };
type Figures = { readonly points: number; readonly queries: number; readonly ways: readonly Way[] };
type Tokens = readonly Float32Array[];

export const multi: Section<Figures> = {
  title: 'Multivectors (MaxSim)',
  measure: async (scale) => {
    const random = seededRandom(SEED);
    const topics = Array.from({ length: TOPICS }, () => unit(normals(random)));
    const points = Array.from({ length: Math.floor(scale.points['Fashion-MNIST'] / 2) }, () => tokensOf(random, topics, VECTORS));
    const queries = Array.from({ length: Math.min(QUERIES_MAX, scale.queries) }, () => tokensOf(random, topics, QUERY_VECTORS));
    const naive = timed(queries.map((query) => () => nearestByLoop(query, points)));
    const ways = await measureEngine(points, queries, naive.answers);
    return {
      points: points.length,
      queries: queries.length,
      ways: [{ way: 'a loop in TypeScript over vectors in memory', milliseconds: naive.milliseconds, recall: 1 }, ...ways],
    };
  },
  render: ({ points, queries, ways }) =>
    [
      `${whole(points)} generated points with ${VECTORS} vectors of ${DIMENSION} components each; ${queries} sequential queries of ${QUERY_VECTORS} vectors, limit ${K}. The prefetch searches the mean of each point's vectors.`,
      '',
      table(
        ['', 'median, ms', `recall@${K}`],
        ways.map(({ way, milliseconds, recall }) => [way, fixed(milliseconds, 1), fixed(recall, 3)]),
      ),
    ].join('\n'),
};

async function measureEngine(points: readonly Tokens[], queries: readonly Tokens[], truth: readonly (readonly number[])[]): Promise<Way[]> {
  await using directory = await temporaryDirectory();
  const engine = await openEmbeddedEngine({ dataDirectory: directory.path, clock: systemClock, random: seededRandom(SEED) });
  try {
    const params = { size: DIMENSION, distance: 'Cosine' } as const;
    await engine.createCollection('a', { vectors: { mean: params, tokens: { ...params, multivector_config: { comparator: 'max_sim' } } } });
    for (let from = 0; from < points.length; from += PER_WRITE) {
      const some = points.slice(from, from + PER_WRITE);
      await engine.upsert(
        'a',
        some.map((tokens, index) => ({ id: from + index, vector: { mean: meanOf(tokens), tokens } })),
      );
    }
    const shape = { offset: 0, with_payload: false, with_vector: false } as const;
    const exact = { ...shape, prefetch: [], using: 'tokens', limit: K, filter: null } as const;
    const ways = [await measureWay('exactly', (tokens) => engine.query('a', { ...exact, query: { kind: 'nearest', to: tokens } }))];
    for (const limit of PREFETCHED) {
      const way = `of the ${whole(limit)} nearest by their mean`;
      ways.push(
        await measureWay(way, (tokens) => {
          const prefetch = { ...exact, query: { kind: 'nearest', to: meanOf(tokens) }, using: 'mean', limit } as const;
          return engine.query('a', { ...exact, prefetch: [prefetch], query: { kind: 'nearest', to: tokens } });
        }),
      );
    }
    return ways;
  } finally {
    await engine.close();
  }

  async function measureWay(way: string, ask: (tokens: Tokens) => Promise<readonly { readonly id: unknown }[]>): Promise<Way> {
    console.log(way);
    const times: number[] = [];
    const answers: number[][] = [];
    for (const tokens of queries) {
      const started = performance.now();
      answers.push((await ask(tokens)).map(({ id }) => Number(id)));
      times.push(performance.now() - started);
    }
    return { way, milliseconds: median(times), recall: recallOf(answers, truth, K) };
  }
}

function timed(works: readonly (() => readonly number[])[]) {
  const times: number[] = [];
  const answers = works.map((work) => {
    const started = performance.now();
    const answer = work();
    times.push(performance.now() - started);
    return answer;
  });
  return { answers, milliseconds: median(times) };
}

function nearestByLoop(query: Tokens, points: readonly Tokens[]): readonly number[] {
  const scores = points.map((tokens) =>
    query.reduce((sum, mine) => sum + tokens.reduce((most, other) => Math.max(most, dot(mine, other)), -1), 0),
  );
  return Array.from(scores.keys())
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    .slice(0, K);
}

/** Vectors around a few of the topics. */
function tokensOf(random: Random, topics: readonly Float32Array[], count: number): Tokens {
  const own = Array.from({ length: TOPICS_PER_POINT }, () => topics[random.integer(topics.length)] ?? new Float32Array(DIMENSION));
  return Array.from({ length: count }, () => {
    const topic = own[random.integer(own.length)] ?? new Float32Array(DIMENSION);
    return unit(normals(random).map((value, at) => (topic[at] ?? 0) + SPREAD * value));
  });
}

function meanOf(tokens: Tokens): Float32Array {
  return Float32Array.from({ length: DIMENSION }, (_, at) => tokens.reduce((sum, token) => sum + (token[at] ?? 0), 0) / tokens.length);
}

/** Nearly normal: a sum of uniform numbers, of mean 0 and variance 1. */
function normals(random: Random): Float32Array {
  return Float32Array.from({ length: DIMENSION }, () =>
    Array.from({ length: 12 }, () => random.next()).reduce((sum, each) => sum + each, -6),
  );
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
