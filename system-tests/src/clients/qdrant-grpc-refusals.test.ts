// SPDX-License-Identifier: Apache-2.0
/** Refusals of the gRPC interface that have to say what REST says, by the published client. */
import { ConnectErrorCode, QdrantClient } from '@qdrant/js-client-grpc';
import { expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { grpcAddressOf } from '../vector-server.ts';

test('empty batches without a collection, and the unnamed vector where all have names', async () => {
  const server = await sharedVectorServer();
  const client = new QdrantClient({ url: grpcAddressOf(server), https: false });
  const points = client.api('points');
  const missing = { code: ConnectErrorCode.NotFound, rawMessage: 'Collection not found: other' };
  await expect(points.searchBatch({ collectionName: 'other', searchPoints: [] })).rejects.toMatchObject(missing);
  await expect(points.queryBatch({ collectionName: 'other', queryPoints: [] })).rejects.toMatchObject(missing);
  await expect(points.updateBatch({ collectionName: 'other', operations: [] })).rejects.toMatchObject(missing);

  const map = { plot: { size: 3n, distance: 1 } };
  await client.api('collections').create({ collectionName: 'named', vectorsConfig: { config: { case: 'paramsMap', value: { map } } } });
  await expect(points.search({ collectionName: 'named', vector: [1, 2, 3], limit: 1n })).rejects.toMatchObject({
    code: ConnectErrorCode.InvalidArgument,
    rawMessage: 'Not existing vector name error: (unnamed)',
  });
});
