// SPDX-License-Identifier: Apache-2.0
/** Texts that become dense vectors by an endpoint of the operator, through the threads of the service: over gRPC, by the SDK and the command line. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-grpc';
import {
  type ChildServer,
  type EmbeddingEndpoint,
  embeddingEndpoint,
  type TemporaryDirectory,
  temporaryDirectory,
  wordVector,
} from '@sextant/foundation-testing';
import { VectorClient } from '@sextant/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';
import { environmentOf, sextant } from './sextant.ts';

const KEY = 'key-that-only-the-operator-has';
const SIZE = wordVector('').length;
const text = (words: string) => ({ text: words, model: 'words' });

let directory: TemporaryDirectory;
let endpoint: EmbeddingEndpoint;
let server: ChildServer;

beforeAll(async () => {
  directory = await temporaryDirectory();
  endpoint = await embeddingEndpoint();
  server = await startVectorServer({
    directory: join(directory.path, 'vector'),
    environment: {
      SERVICE_THREADS: '2',
      SERVICE_EMBEDDING_URL: endpoint.url,
      SERVICE_EMBEDDING_API_KEY: KEY,
      SERVICE_EMBEDDING_MODELS: 'words',
      SERVICE_EMBEDDING_BATCH: '50',
    },
  });
  await server.client.request('PUT', '/collections/notes', { vectors: { size: SIZE, distance: 'Cosine' } });
});
afterAll(async () => {
  await server.stop();
  await endpoint[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

test('a document of the published protocol is written and searched over gRPC', async () => {
  const grpc = new QdrantClient({ url: grpcAddressOf(server), https: false });
  const document = (words: string) => ({ case: 'document' as const, value: text(words) });
  const points = ['the cat sat', 'a dog barked'].map((words, at) => ({
    id: { pointIdOptions: { case: 'num' as const, value: BigInt(at + 1) } },
    vectors: { vectorsOptions: { case: 'vector' as const, value: { vector: document(words) } } },
  }));
  await grpc.api('points').upsert({ collectionName: 'notes', wait: true, points });
  const { result } = await grpc.api('points').query({
    collectionName: 'notes',
    query: { variant: { case: 'nearest', value: { variant: document('dog') } } },
    limit: 1n,
  });
  expect(result.map(({ id }) => Number(id?.pointIdOptions.value))).toEqual([2]);
  endpoint.answerNext({ status: 401 });
  const refused = grpc.api('points').query({
    collectionName: 'notes',
    query: { variant: { case: 'nearest', value: { variant: document('never asked before') } } },
  });
  await expect(refused).rejects.toThrow(/unavailable.*by the model words: the endpoint answered 401/s);
});

test('the SDK sends texts where vectors stand', async () => {
  const notes = new VectorClient({ url: server.address }).collection('notes');
  await notes.upsert([{ id: 3, vector: text('grey stone'), payload: { kind: 'thing' } }]);
  const [hit] = await notes.query({ query: text('stone'), limit: 1, with_vector: true });
  expect(hit?.id).toBe(3);
});

test('the command line imports a column of texts and searches by one', async () => {
  const file = join(directory.path, 'notes.csv');
  await writeFile(file, 'id,body,year\n10,the luggage arrived late,2026\n11,rain in the mountains,2025\n');
  const environment = environmentOf(directory.path, { SEXTANT_URL: server.address });
  const imported = await sextant(['import', 'notes', file, '--embed', 'body', '--model', 'words'], environment);
  expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)]);
  const found = await sextant(['search', 'notes', '--text', 'late luggage', '--model', 'words', '--limit', '1', '--json'], environment);
  expect(JSON.parse(found.stdout)).toMatchObject([{ id: 10, payload: { body: 'the luggage arrived late', year: 2026 } }]);
  const alone = await sextant(['search', 'notes', '--text', 'late luggage'], environment);
  expect([alone.code === 0, alone.stderr]).toEqual([false, expect.stringContaining('--text and --model must be passed together')]);
});

test('what is asked for is counted, the key goes to the endpoint alone, and nothing of it is logged', async () => {
  const { body } = await server.client.request('GET', '/metrics');
  expect(String(body)).toMatch(/^embedding_texts [1-9]/m);
  expect(String(body)).toMatch(/^embedding_failures 1$/m);
  expect(new Set(endpoint.calls.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));
  expect(server.log.join('\n')).not.toContain(KEY);
});
