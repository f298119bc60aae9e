// SPDX-License-Identifier: Apache-2.0
/** The published REST client sets each kind of quantization, searches by it and takes it away, on a running server. */
import { QdrantClient } from '@qdrant/js-client-rest';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, chooseSeed, roundsOf, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lowRankMixture, rowOf } from '../data/low-rank-mixture.ts';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { until } from '../until.ts';
import { startVectorServer } from '../vector-server.ts';

const SIZE = 64;
/** Codes are learned from a thousand on. */
const POINTS = roundsOf({ quick: 1500, long: 3000 });
const QUERIES = roundsOf({ quick: 15, long: 30 });
const LIMIT = 10;
const DISTANCES = ['Cosine', 'Dot', 'Euclid', 'Manhattan'] as const;
const seed = chooseSeed();

let directory: TemporaryDirectory;
let server: ChildServer;
let client: QdrantClient;

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startVectorServer({ directory: directory.path });
  client = new QdrantClient({ url: server.address });
});

afterAll(async () => {
  await server.stop();
  await directory[Symbol.asyncDispose]();
});

const draw = lowRankMixture({ dimension: SIZE, random: seededRandom(seed) });
const points = draw(POINTS);
const queries = draw(QUERIES);

async function fill(name: string): Promise<void> {
  for (let start = 0; start < POINTS; start += 500) {
    const vectors = Array.from({ length: 500 }, (_, i) => [...rowOf(points, start + i)]);
    await client.upsert(name, {
      wait: true,
      points: vectors.map((vector, i) => ({
        id: start + i,
        vector: Object.fromEntries(DISTANCES.map((distance) => [distance, vector])),
      })),
    });
  }
}

async function untilGreen(name: string) {
  return until(`${name} is green`, 120_000, async () => {
    const info = await client.getCollection(name);
    return info.status === 'green' && info.indexed_vectors_count === POINTS * DISTANCES.length ? info : undefined;
  });
}

/** Hits of a search are those of the exact one, and their scores the same. */
async function recall(name: string, using: string, quantization: object): Promise<number> {
  let common = 0;
  for (let index = 0; index < queries.count; index++) {
    const query = [...rowOf(queries, index)];
    const exact = await client.query(name, { query, using, limit: LIMIT, params: { exact: true } });
    const truth = new Map(exact.points.map(({ id, score }) => [id, score]));
    const found = await client.query(name, { query, using, limit: LIMIT, params: { hnsw_ef: 128, quantization } });
    for (const { id, score } of found.points) {
      if (!truth.has(id)) continue;
      expect(score).toBe(truth.get(id));
      common++;
    }
  }
  return common / (queries.count * LIMIT);
}

describe.each([
  { scalar: { type: 'int8', quantile: 0.999, always_ram: true } },
  { binary: { always_ram: true } },
  { product: { compression: 'x8', always_ram: false } },
  { product: { compression: 'x32' } },
] as const)('%j', (quantization_config) => {
  const name = JSON.stringify(quantization_config).replaceAll(/\W+/g, '-');

  test('finds nearly all neighbours by every distance, and goes again', async () => {
    const vectors = Object.fromEntries(DISTANCES.map((distance) => [distance, { size: SIZE, distance }]));
    await client.createCollection(name, { vectors, ...GRAPH_ALWAYS, quantization_config });
    await fill(name);
    const info = await untilGreen(name);
    expect(info.config.quantization_config).toEqual(quantization_config);
    for (const distance of DISTANCES) {
      for (const quantization of [{}, { rescore: true, oversampling: 4 }, { ignore: true }]) {
        expect(await recall(name, distance, quantization), `${distance}, with seed ${seed}`).toBeGreaterThan(0.9);
      }
    }
    await client.updateCollection(name, { quantization_config: 'Disabled' });
    expect(await recall(name, 'Euclid', {}), `with seed ${seed}`).toBeGreaterThan(0.9);
    expect((await untilGreen(name)).config.quantization_config ?? null).toBeNull();
    await client.deleteCollection(name);
  });
});
