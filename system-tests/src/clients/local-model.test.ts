// SPDX-License-Identifier: Apache-2.0
/** Texts that become vectors by a real model in a folder, in the service as it runs: over REST, gRPC, by the SDK, the command line and tools of agents. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
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
import { VectorClient } from '@sextant/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';
import { environmentOf, PROGRAM, sextantProcess } from './sextant.ts';

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

  test('makes them for the SDK, the command line and agents', async () => {
    const [hit] = await new VectorClient({ url: server.address }).collection('notes').query({ query: text('an artist'), limit: 1 });
    expect(hit?.id).toBe(3);
    const file = join(directory.path, 'notes.csv');
    await writeFile(file, 'id,body\n10,The bakery opens at six in the morning\n');
    const environment = environmentOf(directory.path, { SEXTANT_URL: server.address });
    expect(await sextantProcess(['import', 'notes', file, '--embed', 'body', '--model', MODEL], environment)).toMatchObject({ code: 0 });
    const found = await sextantProcess(
      ['search', 'notes', '--text', 'fresh bread early', '--model', MODEL, '--limit', '1', '--json'],
      environment,
    );
    expect(JSON.parse(found.stdout)).toMatchObject([{ id: 10 }]);
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env: environment }));
    const { structuredContent } = await client.callTool({
      name: 'search',
      arguments: { collection: 'notes', text: 'fresh bread early', model: MODEL, limit: 1 },
    });
    await client.close();
    expect(structuredContent).toMatchObject({ hits: [{ id: 10 }] });
  });

  test('is counted, and other names are refused with the list', async () => {
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
