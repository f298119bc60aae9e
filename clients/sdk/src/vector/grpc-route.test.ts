// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { answeringServer, json } from '../http/answering-server.fixture.ts';
import { ADVISED_RETRIES } from '../http/retry.ts';
import { guessedAddress, openGrpcRoute } from './grpc-route.ts';
import { VectorClient } from './vector-client.ts';

const NOBODY = 'http://127.0.0.1:1';

test.each([
  ['http://localhost:6573', 'http://localhost:6574'],
  ['https://vectors.example.org:6573', 'https://vectors.example.org:6574'],
  ['http://[::1]:6573', 'http://[::1]:6574'],
  ['http://localhost:7000', undefined],
  ['https://example.org/vectors', undefined],
  ['http://localhost:6573/behind/a/proxy', undefined],
])('beside %s, gRPC is looked for at %s', (url, address) => {
  expect(guessedAddress(url)).toBe(address);
});

const options = {
  address: NOBODY,
  credentials: async () => ({}),
  headers: {},
  timeoutMs: 30_000,
  retry: { ...ADVISED_RETRIES, retries: 0 },
};

test('a guess at which nobody answers is given up, and the call is left to REST', async () => {
  const route = openGrpcRoute({ ...options, isGuess: true });
  expect(await route?.send('count_points', { params: { collection_name: 'c' }, body: {} }, {})).toBeUndefined();
});

test('an address that was given is not', async () => {
  const route = openGrpcRoute({ ...options, isGuess: false });
  const sent = route?.send('count_points', { params: { collection_name: 'c' }, body: {} }, {});
  await expect(sent).rejects.toMatchObject({ code: 'connection_failed', mayHaveArrived: false });
});

test('what the protocol does not have, or cannot say exactly, is left to REST', async () => {
  const route = openGrpcRoute({ ...options, isGuess: false });
  const params = { collection_name: 'c' };
  const inexpressible: readonly (readonly [Parameters<NonNullable<typeof route>['send']>[0], object])[] = [
    ['list_collections', {}],
    ['upsert_points', { batch: { ids: [1], vectors: [[1]] } }],
    ['upsert_points', { points: [{ id: 1, vector: [1], payload: { n: 2n ** 64n - 1n } }] }],
    ['upsert_points', { points: [{ id: 1, vector: [[1], [2]] }] }],
    ['search_points', { vector: [1], limit: 1, score_threshold: 0.3 }],
    ['search_points', { vector: [1] }],
    ['search_points', { vector: [1], limit: 'many' }],
    ['search_points', { vector: [1], limit: 1, unknown: true }],
    ['search_points', { vector: [Number.NaN], limit: 1 }],
    ['count_points', { filter: { must: [] } }],
    ['count_points', { filter: { must: { key: 'd', range: { lt: '2020-01-01' } } } }],
    ['count_points', { filter: { must: { key: 'd', range: { lt: 2n ** 53n + 1n } } } }],
    ['query_points', { query: { text: 'words', model: 'bm25' }, using: 'words' }],
    ['query_points', { query: { formula: { mult: [0.1, '$score'] } } }],
  ];
  for (const [id, body] of inexpressible) expect([body, await route?.send(id, { params, body }, {})]).toEqual([body, undefined]);
});

test('a client with a fetch of its own does not look for gRPC', async () => {
  await using server = await answeringServer(json(200, { result: { count: 1 } }));
  const client = new VectorClient({
    url: 'http://localhost:6573',
    fetch: (url, init) => fetch(url.replace('http://localhost:6573', server.url), init),
  });
  expect(await client.collection('c').count()).toBe(1);
});
