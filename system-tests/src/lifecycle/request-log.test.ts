// SPDX-License-Identifier: Apache-2.0
/** The log of requests, through the threads of the service: reads and writes, over REST and gRPC. */
import { QdrantClient } from '@qdrant/js-client-grpc';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';

test('slow requests are noted with the plans of their searches, on whichever thread they run', async () => {
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({
    directory: directory.path,
    environment: { SERVICE_THREADS: '1', SERVICE_REQUEST_LOG: 'slow', SERVICE_SLOW_REQUEST_MS: '0' },
  });
  await server.client.request('PUT', '/collections/c', { vectors: { size: 2, distance: 'Dot' } });
  await server.client.request('PUT', '/collections/c/points', { points: [{ id: 1, vector: [0.123456, 1] }] });
  await server.client.request('POST', '/collections/c/points/query', { query: [0.123456, 1] });
  const grpc = new QdrantClient({ url: grpcAddressOf(server), https: false });
  await grpc.api('points').count({ collectionName: 'c' });
  await server.stop();
  const lines = server.log.filter((line) => line.includes('"slow request"'));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { operation: 'create_collection', thread: 'writer', transport: 'rest', collection: 'c', actor: 'anonymous', status: 200 },
    { operation: 'upsert_points', thread: 'writer', endpoint: 'PUT /collections/{collection_name}/points' },
    {
      operation: 'query_points',
      thread: 'serving',
      plans: [{ plan: expect.any(String), vector: '', count: expect.any(Number), candidates: null }],
    },
    { operation: 'count_points', thread: 'serving', transport: 'grpc', endpoint: 'qdrant.Points/Count' },
  ]);
  expect(lines.join('\n')).not.toContain('0.123456');
});
