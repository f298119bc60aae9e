// SPDX-License-Identifier: Apache-2.0
/** Texts that become vectors by a real model in a folder, in the service as it runs; `texts.test.ts` has them from every client. */
import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-grpc';
import {
  type ChildServer,
  hasOnnx,
  MINILM_FOLDER,
  ONNX_PACKAGES,
  type TemporaryDirectory,
  temporaryDirectory,
  writeModelFolder,
} from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

const MODEL = 'all-MiniLM-L6-v2';
const text = (words: string) => ({ text: words, model: MODEL });

describe.skipIf(!hasOnnx)('a model in a folder', () => {
  let directory: TemporaryDirectory;
  let server: ChildServer;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    server = await startVectorServer({
      directory: join(directory.path, 'vector'),
      environment: { SERVICE_THREADS: '2', SERVICE_EMBEDDING_ONNX_FOLDERS: MINILM_FOLDER, NODE_PATH: ONNX_PACKAGES },
    });
    await server.client.request('PUT', '/collections/notes', { vectors: { size: 384, distance: 'Cosine' } });
  });
  afterAll(async () => {
    await server?.stop();
    await directory?.[Symbol.asyncDispose]();
  });

  test('makes vectors of texts over REST and gRPC', async () => {
    const points = ['The luggage arrived a day late', 'Rain is expected in the mountains', 'She paints with oil'].map((words, at) => ({
      id: at + 1,
      vector: text(words),
    }));
    expect(await server.client.request('PUT', '/collections/notes/points?wait=true', { points })).toMatchObject({ status: 200 });
    const body = { query: text('lost suitcase'), limit: 1 };
    expect(await server.client.request('POST', '/collections/notes/points/query', body)).toMatchObject({
      body: { result: { points: [{ id: 1 }] } },
    });
    const grpc = new QdrantClient({ url: grpcAddressOf(server), https: false });
    const { result } = await grpc.api('points').query({
      collectionName: 'notes',
      query: { variant: { case: 'nearest', value: { variant: { case: 'document', value: text('wet weather on the hills') } } } },
      limit: 1n,
    });
    expect(result.map(({ id }) => Number(id?.pointIdOptions.value))).toEqual([2]);
  });

  test('is counted, and other names are refused with the list', async () => {
    const again = { query: text('lost suitcase'), limit: 1 };
    await server.client.request('POST', '/collections/notes/points/query', again);
    expect(String((await server.client.request('GET', '/metrics')).body)).toMatch(/^embedding_texts_cached [1-9]/m);
    const refused = await server.client.request('POST', '/collections/notes/points/query', { query: { text: 'a', model: 'other' } });
    expect(refused).toMatchObject({ status: 400, body: { status: { error: expect.stringContaining(`"${MODEL}"`) } } });
  });

  test('that is not whole stops the start with a sentence', async () => {
    const folder = writeModelFolder(join(directory.path, 'broken'), { 'tokenizer.json': undefined });
    const environment = { SERVICE_EMBEDDING_ONNX_FOLDERS: folder, NODE_PATH: ONNX_PACKAGES };
    const start = startVectorServer({ directory: join(directory.path, 'second'), environment });
    await expect(start).rejects.toThrow(/broken has no tokenizer\.json/);
  });
});
