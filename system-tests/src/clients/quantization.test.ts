// SPDX-License-Identifier: Apache-2.0
/** The published REST client sets each kind of quantization, searches by it and takes it away, on a running server. */
import { QdrantClient } from '@qdrant/js-client-rest';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, chooseSeed, isLongRun, roundsOf } from '@sextant/foundation-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { lowRankMixture, rowOf } from '../data/low-rank-mixture.ts';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { until } from '../until.ts';

const SIZE = 64;
/** Codes are learned from a thousand on. */
const POINTS = roundsOf({ quick: 1100, long: 3000 });
const QUERIES = roundsOf({ quick: 8, long: 30 });
const LIMIT = 10;
const BATCH = 100;
const DISTANCES = ['Cosine', 'Dot', 'Euclid', 'Manhattan'] as const;
type Distance = (typeof DISTANCES)[number];
type Config = NonNullable<Parameters<QdrantClient['createCollection']>[1]['quantization_config']>;
const seed = chooseSeed();

let server: ChildServer;
let client: QdrantClient;

beforeAll(async () => {
  server = await sharedVectorServer();
  client = new QdrantClient({ url: server.address });
});

const draw = lowRankMixture({ dimension: SIZE, random: seededRandom(seed) });
const points = draw(POINTS);
const queries = draw(QUERIES);

async function fill(name: string, distances: readonly Distance[]): Promise<void> {
  for (let start = 0; start < POINTS; start += BATCH) {
    const vectors = Array.from({ length: BATCH }, (_, i) => [...rowOf(points, start + i)]);
    await client.upsert(name, {
      wait: true,
      points: vectors.map((vector, i) => ({
        id: start + i,
        vector: Object.fromEntries(distances.map((distance) => [distance, vector])),
      })),
    });
  }
}

async function untilGreen(name: string, distances: readonly Distance[]) {
  return until(`${name} is green`, 120_000, async () => {
    const info = await client.getCollection(name);
    return info.status === 'green' && info.indexed_vectors_count === POINTS * distances.length ? info : undefined;
  });
}

type Truth = ReadonlyMap<number | string, number>;

/** The scores of the nearest points, for each query. */
async function nearest(name: string, using: string): Promise<readonly Truth[]> {
  const all: Truth[] = [];
  for (let index = 0; index < queries.count; index++) {
    const { points } = await client.query(name, { query: [...rowOf(queries, index)], using, limit: LIMIT, params: { exact: true } });
    all.push(new Map(points.map(({ id, score }) => [id, score])));
  }
  return all;
}

/** Hits of a search are those of the exact one, and their scores the same. */
async function recall(name: string, using: string, truths: readonly Truth[], quantization: object): Promise<number> {
  let common = 0;
  for (const [index, truth] of truths.entries()) {
    const query = [...rowOf(queries, index)];
    const found = await client.query(name, { query, using, limit: LIMIT, params: { hnsw_ef: 128, quantization } });
    for (const { id, score } of found.points) {
      if (!truth.has(id)) continue;
      expect(score).toBe(truth.get(id));
      common++;
    }
  }
  return common / (queries.count * LIMIT);
}

/** What the service does with codes is the same for all kinds, as the tests of the engine and the kernel show, and REST takes each of them in its own tests. */
const CASES: readonly [config: Config, distances: readonly Distance[]][] = [
  [{ product: { compression: 'x8', always_ram: false } }, ['Manhattan']],
  [{ scalar: { type: 'int8', quantile: 0.999, always_ram: true } }, ['Cosine', 'Euclid']],
  [{ binary: { always_ram: true } }, ['Dot']],
  [{ product: { compression: 'x32' } }, DISTANCES],
];

describe.each(CASES.slice(0, roundsOf({ quick: 1, long: CASES.length })))('%j by %j', (quantization_config, usual) => {
  const name = JSON.stringify(quantization_config).replaceAll(/\W+/g, '-');
  const distances = isLongRun() ? DISTANCES : usual;
  const [one = 'Euclid'] = distances;

  test('finds nearly all neighbours, and goes again', async () => {
    const vectors = Object.fromEntries(distances.map((distance) => [distance, { size: SIZE, distance }]));
    await client.createCollection(name, { vectors, ...GRAPH_ALWAYS, quantization_config });
    await fill(name, distances);
    const info = await untilGreen(name, distances);
    expect(info.config.quantization_config).toEqual(quantization_config);
    for (const distance of distances) {
      const truths = await nearest(name, distance);
      for (const quantization of [{}, { rescore: true, oversampling: 4 }, { ignore: true }]) {
        expect(await recall(name, distance, truths, quantization), `${distance}, with seed ${seed}`).toBeGreaterThan(0.9);
      }
    }
    await client.updateCollection(name, { quantization_config: 'Disabled' });
    expect(await recall(name, one, await nearest(name, one), {}), `with seed ${seed}`).toBeGreaterThan(0.9);
    expect((await untilGreen(name, distances)).config.quantization_config ?? null).toBeNull();
    await client.deleteCollection(name);
  });
});
