// SPDX-License-Identifier: Apache-2.0
/** Texts in place of dense vectors, by an endpoint that the operator has configured: wherever a vector may stand. */
import { systemClock } from '@sextant/foundation-std';
import { type EmbeddingEndpoint, embeddingEndpoint, wordVector } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Embedder } from '../embedding/embedder.ts';
import { openEmbedder } from '../embedding/open-embedder.ts';
import { type TestServer, testServer } from '../testing/test-server.ts';

const SIZE = 16;
let endpoint: EmbeddingEndpoint;
let embedder: Embedder;
let server: TestServer;
const MODELS = ['words', 'short'];

beforeAll(async () => {
  endpoint = await embeddingEndpoint();
  const opened = await openEmbedder(
    {
      embeddingUrl: `${endpoint.url}/`,
      embeddingApiKey: undefined,
      embeddingModels: MODELS,
      embeddingOnnxFolders: [],
      embeddingThreads: 1,
      embeddingTimeoutSeconds: 10,
      embeddingBatch: 8,
      embeddingCacheBytes: 100_000,
    },
    systemClock,
  );
  if (typeof opened === 'string') throw new Error(opened);
  embedder = opened;
  server = await testServer({ dense: { models: MODELS, embed: (request) => embedder.embed(request) } });
  await call('PUT', '', {
    vectors: { '': { size: SIZE, distance: 'Dot' }, title: { size: SIZE, distance: 'Dot' }, payload: { size: SIZE, distance: 'Dot' } },
    sparse_vectors: { words: {} },
  });
  await resultOf('PUT', '/points', {
    points: [
      { id: 1, vector: text('the cat sat'), payload: { vector: { text: 'kept', model: 'as it is' }, kind: 'animal' } },
      {
        id: 2,
        vector: { '': text('a dog barked'), title: text('dogs'), words: { text: 'dogs', model: 'Qdrant/bm25' } },
        payload: { kind: 'animal' },
      },
      // A vector that has the name of a member without vectors.
      { id: 3, vector: { payload: text('stone'), '': wordVector('grey stone') }, payload: { kind: 'thing' } },
    ],
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await embedder.close();
  await endpoint[Symbol.asyncDispose]();
});

const call = (method: string, path: string, body?: unknown) => server.call(method, `/collections/texts${path}`, body);
async function resultOf(method: string, path: string, body?: unknown): Promise<unknown> {
  const reply = await call(method, path, body);
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
  return (reply.body as { readonly result: unknown }).result;
}
function text(words: string, options?: object, model = 'words') {
  return { text: words, model, ...(options && { options }) };
}
const idsOf = (hits: unknown) => (hits as readonly { readonly id: unknown }[]).map(({ id }) => id);

test('stored texts are the vectors that the model makes, and payloads stay as they are', async () => {
  expect(await resultOf('POST', '/points', { ids: [1, 2, 3], with_vector: true })).toMatchObject([
    { id: 1, vector: wordVector('the cat sat'), payload: { vector: { text: 'kept', model: 'as it is' } } },
    { id: 2, vector: { '': wordVector('a dog barked'), title: wordVector('dogs') } },
    { id: 3, vector: { payload: wordVector('stone') } },
  ]);
});

describe('texts to search with', () => {
  const dog = text('dog');
  test.each([
    ['/points/search', { vector: dog, limit: 1 }],
    ['/points/search', { vector: { name: '', vector: dog }, limit: 1 }],
    ['/points/query', { query: dog, limit: 1 }],
    ['/points/query', { query: { nearest: dog }, limit: 1 }],
    [
      '/points/query',
      { query: { recommend: { positive: [2, dog] } }, limit: 1, filter: { must: [{ key: 'kind', match: { value: 'animal' } }] } },
    ],
    ['/points/query', { query: { discover: { target: dog, context: { positive: dog, negative: text('stone') } } }, limit: 1 }],
    ['/points/query', { prefetch: [{ query: dog, limit: 1 }], query: { fusion: 'rrf' } }],
    ['/points/query', { query: text('dogs'), using: 'title', limit: 1 }],
  ])('%s takes %j', async (path, body) => {
    const result = await resultOf('POST', path, body);
    const [first] = idsOf(Array.isArray(result) ? result : (result as { readonly points: unknown }).points);
    // A recommendation leaves its examples out.
    expect(first).toBe(JSON.stringify(body).includes('recommend') ? 1 : 2);
  });

  test('a batch asks the model once', async () => {
    const before = endpoint.calls.length;
    const searches = ['cat', 'dog barked', 'grey'].map((words) => ({ vector: text(words), limit: 1 }));
    expect(((await resultOf('POST', '/points/search/batch', { searches })) as readonly unknown[]).map(idsOf)).toEqual([[1], [2], [3]]);
    expect(endpoint.calls.length).toBe(before + 1);
  });
});

test('texts stand in columns, in updates and in batches of writes', async () => {
  await resultOf('PUT', '/points', { batch: { ids: [4, 5], vectors: [text('red'), text('blue')] } });
  await resultOf('PUT', '/points', { batch: { ids: [6], vectors: { title: [text('green')] } } });
  await resultOf('PUT', '/points/vectors', { points: [{ id: 4, vector: text('yellow') }] });
  await resultOf('POST', '/points/batch', {
    operations: [
      { upsert: { points: [{ id: 7, vector: text('black') }] } },
      { set_payload: { payload: { vector: text('no vector') }, points: [7] } },
      { update_vectors: { points: [{ id: 5, vector: { title: text('white') } }] } },
    ],
  });
  const points = (await resultOf('POST', '/points', { ids: [4, 5, 6, 7], with_vector: true })) as readonly unknown[];
  expect(points).toMatchObject([
    { vector: wordVector('yellow') },
    { vector: { '': wordVector('blue'), title: wordVector('white') } },
    { vector: { title: wordVector('green') } },
    { vector: wordVector('black'), payload: { vector: text('no vector') } },
  ]);
  await resultOf('POST', '/points/delete', { points: [4, 5, 6, 7] });
});

test.each([
  [
    { vector: text('a', {}, 'other') },
    'points[0].vector.model: the model "other" is not served; "Qdrant/bm25" is, for sparse vectors, and, for dense ones, "words", "short"',
  ],
  [{ vector: { title: text(' ') } }, 'points[0].vector.title.text: is empty; give a text to embed'],
  [{ vector: text('x'.repeat(100_001)) }, 'points[0].vector.text: expected at most 100000 characters for the model "words", got 100001'],
  [{ vector: text('a', { dimensions: 4 }) }, 'Dimension mismatch for vector: expected 16, got 4'],
  [
    { vector: text('a', { k: 1 }) },
    'points[0].vector: only Qdrant/bm25 has the option k; the model "words" has only the option dimensions',
  ],
  [
    { vector: { words: { ...text('a', { dimensions: 4 }), model: 'Qdrant/bm25' } } },
    'points[0].vector.words: the model "Qdrant/bm25" has no option dimensions',
  ],
])('an upsert of %j is refused', async (point, error) => {
  const reply = await call('PUT', '/points', { points: [{ id: 9, ...point }] });
  expect([reply.status, reply.body]).toEqual([400, { time: expect.any(Number), status: { error } }]);
});

test('of a write whose texts have no vectors, nothing is written', async () => {
  endpoint.answerNext({ status: 401 });
  const reply = await call('PUT', '/points', {
    points: [
      { id: 9, vector: wordVector('there') },
      { id: 10, vector: text('not seen before') },
    ],
  });
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
  expect(reply.text).toContain('Texts cannot be embedded by the model words: the endpoint answered 401');
  expect(await resultOf('POST', '/points', { ids: [9, 10] })).toEqual([]);
});

test('a thousand texts are enough for one request', async () => {
  const points = Array.from({ length: 1001 }, (_, id) => ({ id, vector: text(`text ${id}`) }));
  const reply = await call('PUT', '/points', { points });
  expect(reply.text).toContain('body: expected at most 1000 texts for models that make dense vectors, got 1001; send smaller batches');
});
