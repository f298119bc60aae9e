// SPDX-License-Identifier: Apache-2.0
/** Sparse vectors and texts by the published clients, unchanged, over gRPC and REST: both see the same points and the same scores. */
import { QdrantClient as GrpcClient } from '@qdrant/js-client-grpc';
import { QdrantClient } from '@qdrant/js-client-rest';
import type { ChildServer } from '@sextant/foundation-testing';
import { beforeAll, expect, test } from 'vitest';
import { sharedServerAndData } from '../shared-server.ts';
import { grpcAddressOf } from '../vector-server.ts';

const COLLECTION = 'films';
const MODEL = 'Qdrant/bm25';

let server: ChildServer;
let directory: string;
let grpc: GrpcClient;
let rest: QdrantClient;

beforeAll(async () => {
  ({ server, directory } = await sharedServerAndData());
  grpc = new GrpcClient({ url: grpcAddressOf(server), https: false });
  rest = new QdrantClient({ url: server.address });
  await grpc.api('collections').create({
    collectionName: COLLECTION,
    vectorsConfig: { config: { case: 'paramsMap', value: { map: { look: { size: 2n, distance: 3 } } } } },
    sparseVectorsConfig: { map: { plot: { modifier: 1 }, cast: { index: { fullScanThreshold: 9n, onDisk: true } } } },
  });
  const points = PLOTS.map((plot, at) => ({
    id: num(at + 1),
    vectors: named({ plot: document(plot), cast: sparse([at + 7, 3], [0.5, at + 1]), look: dense([1, at]) }),
  }));
  await grpc.api('points').upsert({ collectionName: COLLECTION, wait: true, points });
});

const PLOTS = [
  'A ship lands on a moon and wakes an alien',
  'Soldiers return to the moon of the aliens',
  'Two lovers meet again in Casablanca',
];

const num = (value: number) => ({ pointIdOptions: { case: 'num' as const, value: BigInt(value) } });
const dense = (data: number[]) => ({ vector: { case: 'dense' as const, value: { data } } });
const sparse = (indices: number[], values: number[]) => ({ vector: { case: 'sparse' as const, value: { indices, values } } });
const document = (text: string, model = MODEL) => ({ vector: { case: 'document' as const, value: { text, model } } });
type Named = ReturnType<typeof dense> | ReturnType<typeof sparse> | ReturnType<typeof document>;
const named = (vectors: { [name: string]: Named }) => ({ vectorsOptions: { case: 'vectors' as const, value: { vectors } } });
const nearestText = (text: string) => ({
  variant: {
    case: 'nearest' as const,
    value: {
      variant: {
        case: 'document' as const,
        value: { text, model: MODEL, options: { language: { kind: { case: 'stringValue' as const, value: 'english' } } } },
      },
    },
  },
});

type Hit = { readonly id?: { pointIdOptions: { value?: bigint | string | undefined } } | undefined; readonly score: number };
const seen = (hits: readonly Hit[]) => hits.map(({ id, score }) => ({ id: Number(id?.pointIdOptions.value), score }));
const plain = (hits: readonly { readonly id: string | number; readonly score: number }[]) =>
  hits.map(({ id, score }) => ({ id, score: Math.fround(score) }));

test('a collection describes its sparse vectors on both', async () => {
  const { result } = await grpc.api('collections').get({ collectionName: COLLECTION });
  expect(result?.config?.params?.sparseVectorsConfig?.map).toMatchObject({
    plot: { modifier: 1 },
    cast: { index: { fullScanThreshold: 9n, onDisk: true } },
  });
  expect((await rest.getCollection(COLLECTION)).config.params.sparse_vectors).toEqual({
    plot: { modifier: 'idf' },
    cast: { index: { full_scan_threshold: 9, on_disk: true } },
  });
});

test('texts are found by their words, with the same scores', async () => {
  const query = nearestText('aliens on moons');
  const { result } = await grpc.api('points').query({ collectionName: COLLECTION, query, using: 'plot', limit: 5n });
  const { points } = await rest.query(COLLECTION, { query: { text: 'aliens on moons', model: MODEL }, using: 'plot', limit: 5 });
  expect(seen(result)).toEqual(plain(points));
  expect(points.map(({ id }) => id)).toEqual([2, 1]);
});

test('sparse vectors are searched and come back', async () => {
  const { result } = await grpc.api('points').search({
    collectionName: COLLECTION,
    vector: [2, 1],
    sparseIndices: { data: [3, 9] },
    vectorName: 'cast',
    limit: 2n,
    withVectors: { selectorOptions: { case: 'include', value: { names: ['cast'] } } },
  });
  expect(seen(result)).toEqual([
    { id: 3, score: 6.5 },
    { id: 2, score: 4 },
  ]);
  const [first] = result;
  const vectors = first?.vectors?.vectorsOptions;
  const cast = vectors?.case === 'vectors' ? vectors.value.vectors.cast?.vector : undefined;
  expect(cast).toMatchObject({ case: 'sparse', value: { indices: [3, 9], values: [3, 0.5] } });
  const [point] = await rest.retrieve(COLLECTION, { ids: [3], with_vector: ['cast'] });
  expect(point?.vector).toEqual({ cast: { indices: [3, 9], values: [3, 0.5] } });
});

test('both kinds are fused, and rarity is counted in a corpus', async () => {
  const corpus = { must: [{ conditionOneOf: { case: 'hasId' as const, value: { hasId: [num(1), num(3)] } } }] };
  const { result } = await grpc.api('points').query({
    collectionName: COLLECTION,
    prefetch: [
      { query: nearestText('alien'), using: 'plot', params: { idf: { corpus } } },
      { query: { variant: { case: 'nearest', value: { variant: { case: 'dense', value: { data: [0, 1] } } } } }, using: 'look' },
    ],
    query: { variant: { case: 'fusion', value: 0 } },
  });
  const { points } = await rest.query(COLLECTION, {
    prefetch: [
      { query: { text: 'alien', model: MODEL }, using: 'plot', params: { idf: { corpus: { must: [{ has_id: [1, 3] }] } } } },
      { query: [0, 1], using: 'look' },
    ],
    query: { fusion: 'rrf' },
  });
  expect(seen(result)).toEqual(plain(points));
  expect(points).toHaveLength(3);
});

test('vectors are replaced and removed', async () => {
  await grpc.api('points').updateVectors({
    collectionName: COLLECTION,
    wait: true,
    points: [{ id: num(1), vectors: named({ plot: document('Nothing happens') }) }],
  });
  expect((await rest.query(COLLECTION, { query: { text: 'happening', model: MODEL }, using: 'plot' })).points.map(({ id }) => id)).toEqual([
    1,
  ]);
  await grpc.api('points').deleteVectors({
    collectionName: COLLECTION,
    wait: true,
    pointsSelector: { pointsSelectorOneOf: { case: 'points', value: { ids: [num(1)] } } },
    vectors: { names: ['plot'] },
  });
  expect((await rest.query(COLLECTION, { query: { text: 'happening', model: MODEL }, using: 'plot' })).points).toEqual([]);
});

test('a model that is not served is refused with the one that is', async () => {
  const vectors = named({ plot: document('a', 'bge-small') });
  const upsert = grpc.api('points').upsert({ collectionName: COLLECTION, points: [{ id: num(9), vectors }] });
  await expect(upsert).rejects.toThrow('points[0].vectors.plot.model: the model "bge-small" is not served; "Qdrant/bm25" is');
});

test('a collection of sparse vectors alone is created without `vectors`, and survives a snapshot', async () => {
  await rest.createCollection('rest-alone', { sparse_vectors: { words: {} } });
  await grpc.api('collections').create({ collectionName: 'grpc-alone', sparseVectorsConfig: { map: { words: {} } } });
  for (const name of ['rest-alone', 'grpc-alone']) {
    await rest.upsert(name, { wait: true, points: [{ id: 1, vector: { words: { indices: [7], values: [2] } } }] });
    const { name: snapshot } = (await rest.createSnapshot(name)) ?? { name: '' };
    await rest.delete(name, { wait: true, points: [1] });
    expect(await rest.recoverSnapshot(name, { location: `file://${directory}/snapshots/${name}/${snapshot}` })).toBe(true);
    expect((await rest.query(name, { query: { indices: [7], values: [3] }, using: 'words' })).points).toMatchObject([{ id: 1, score: 6 }]);
    const { result } = await grpc.api('collections').get({ collectionName: name });
    expect(Object.keys(result?.config?.params?.sparseVectorsConfig?.map ?? {})).toEqual(['words']);
  }
  await expect(rest.createCollection('nothing', {})).rejects.toMatchObject({ data: { status: { error: 'vectors_config is required' } } });
  await expect(grpc.api('collections').create({ collectionName: 'nothing' })).rejects.toThrow('vectors_config is required');
});
