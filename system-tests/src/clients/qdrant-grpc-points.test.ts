// SPDX-License-Identifier: Apache-2.0
/** What the published gRPC client relies on of writes and of groups. */
import { QdrantClient } from '@qdrant/js-client-grpc';
import type { ChildServer } from '@sextant/foundation-testing';
import { beforeAll, expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';

let server: ChildServer;
let client: QdrantClient;

beforeAll(async () => {
  server = await sharedVectorServer();
  client = new QdrantClient({ url: grpcAddressOf(server), https: false });
  for (const collectionName of ['films', 'chapters']) {
    await client
      .api('collections')
      .create({ collectionName, vectorsConfig: { config: { case: 'params', value: { size: 3n, distance: 1 } } } });
  }
});

const num = (value: number) => ({ pointIdOptions: { case: 'num' as const, value: BigInt(value) } });
const dense = (data: number[]) => ({
  vectorsOptions: { case: 'vector' as const, value: { vector: { case: 'dense' as const, value: { data } } } },
});

test('an id may be given twice, and the last counts', async () => {
  const [points, rest] = [client.api('points'), vectorApi(server.client).collection('films')];
  const titled = (value: string) => ({ title: { kind: { case: 'stringValue' as const, value } } });
  const point = (vector: number[], title: string) => ({ id: num(9), vectors: dense(vector), payload: titled(title) });
  await points.upsert({ collectionName: 'films', wait: true, points: [point([1, 0, 0], 'first'), point([0, 1, 0], 'last')] });
  expect(await rest.retrieve([9])).toEqual([{ id: 9, payload: { title: 'last' }, vector: [0, 1, 0] }]);
  const updates = [
    [1, 0, 0],
    [0, 0, 1],
  ].map((vector) => ({ id: num(9), vectors: dense(vector) }));
  await points.updateVectors({ collectionName: 'films', wait: true, points: updates });
  expect(await rest.retrieve([9])).toMatchObject([{ vector: [0, 0, 1] }]);
});

test('groups are as full as the points allow', async () => {
  const points = client.api('points');
  const collectionName = 'chapters';
  // 100 books, whose chapters follow each other along the ranking: a group of five reaches far down.
  const chapters = Array.from({ length: 1000 }, (_, id) => ({
    id: num(id),
    vectors: dense([1 - id / 1000, 0, id / 1000]),
    payload: { book: { kind: { case: 'integerValue' as const, value: BigInt((id * 37) % 100) } } },
  }));
  await points.upsert({ collectionName, wait: true, points: chapters });
  const full = [0, 37, 74].map((book, first) => [BigInt(book), [0, 1, 2, 3, 4].map((at) => first + 100 * at)]);
  type Group = {
    readonly id?: { readonly kind: { readonly value?: unknown } };
    readonly hits: readonly { readonly id?: ReturnType<typeof num> }[];
  };
  const shown = (groups: readonly Group[] | undefined) =>
    groups?.map(({ id, hits }) => [id?.kind.value, hits.map((hit) => Number(hit.id?.pointIdOptions.value))]);
  const query = { variant: { case: 'nearest' as const, value: { variant: { case: 'dense' as const, value: { data: [1, 0, 0] } } } } };
  const near = { collectionName, groupBy: 'book', groupSize: 5, limit: 3 };
  expect(shown((await points.searchGroups({ ...near, vector: [1, 0, 0] })).result?.groups as readonly Group[])).toEqual(full);
  expect(shown((await points.queryGroups({ ...near, query, groupSize: 5n, limit: 3n })).result?.groups as readonly Group[])).toEqual(full);
  const { result } = await points.recommendGroups({ ...near, positive: [num(0)] });
  expect(result?.groups.map(({ hits }) => hits.length)).toEqual([5, 5, 5]);
});
