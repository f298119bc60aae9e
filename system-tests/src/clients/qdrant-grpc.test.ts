// SPDX-License-Identifier: Apache-2.0
/** The published gRPC client, unchanged, beside REST on the same data; health, reflection and refusals in the words of gRPC. Credentials: `../consistency/access-token.test.ts`. */
import { once } from 'node:events';
import { Client, credentials } from '@grpc/grpc-js';
import { QdrantClient } from '@qdrant/js-client-grpc';
import type { ChildServer } from '@sextant/foundation-testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';
import { dense, FILMS, grpcClientFlows, ids, integer, nearest, num } from './qdrant-grpc.conformance.ts';

let server: ChildServer;
let client: QdrantClient;

beforeAll(async () => {
  server = await sharedVectorServer();
  client = clientOf(server);
});

function clientOf(running: ChildServer, apiKey?: string): QdrantClient {
  return new QdrantClient({ url: grpcAddressOf(running), https: false, ...(apiKey === undefined ? {} : { apiKey }) });
}

describe('the published client', () => {
  grpcClientFlows(() => ({ grpc: client, rest: vectorApi(server.client) }));
});

describe('the standard services', () => {
  /** Asks with bytes and is answered with bytes. */
  function open(): Client {
    return new Client(grpcAddressOf(server).replace('http://', ''), credentials.createInsecure());
  }
  const asIs = (bytes: Buffer) => bytes;

  test('health says whether a service serves', async () => {
    using grpc = closing(open());
    // A string in field 1: the name of the service. The answer's field 1 is the status, 1 for "serving".
    const check = (name: string) =>
      new Promise<Buffer | undefined>((resolve, reject) => {
        const request = Buffer.concat([Buffer.of(0x0a, name.length), Buffer.from(name)]);
        grpc.client.makeUnaryRequest('/grpc.health.v1.Health/Check', asIs, asIs, request, (error, answer) =>
          error === null ? resolve(answer) : reject(error),
        );
      });
    for (const name of ['qdrant.Points', 'actian_vectorai.Points']) expect(await check(name)).toEqual(Buffer.of(0x08, 1));
    await expect(check('no.such.Service')).rejects.toMatchObject({ code: 5 });
  });

  test('reflection lists the services', async () => {
    using grpc = closing(open());
    const stream = grpc.client.makeBidiStreamRequest('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', asIs, asIs);
    // An empty string in field 7: list the services.
    stream.write(Buffer.of(0x3a, 0));
    const [answer]: Buffer[] = await once(stream, 'data');
    stream.end();
    const own = ['qdrant.Collections', 'qdrant.Points', 'qdrant.Qdrant'];
    const others = ['actian_vectorai.Collections', 'actian_vectorai.Points', 'actian_vectorai.ActianVectorAI'];
    for (const name of [...own, ...others]) expect(answer?.toString('latin1')).toContain(name);
  });

  function closing(client: Client) {
    return { client, [Symbol.dispose]: () => client.close() };
  }
});

test('groups of calls that are switched on are answered', async () => {
  const [collections, points] = [client.api('collections'), client.api('points')];
  await collections.create({ collectionName: 'f', vectorsConfig: { config: { case: 'params', value: { size: 3n, distance: 1 } } } });
  await points.upsert({
    collectionName: 'f',
    points: FILMS.map(({ id, vector, year }) => ({
      id: num(id),
      vectors: dense(vector),
      payload: { decade: integer(year - (year % 10)) },
    })),
  });
  const { result: liked } = await points.recommend({ collectionName: 'f', positive: [num(1)], limit: 1n });
  expect(ids(liked)).toEqual([2]);
  const { result: found } = await points.discoverBatch({
    collectionName: 'f',
    discoverPoints: [
      {
        collectionName: 'f',
        target: { target: { case: 'single', value: { example: { case: 'id', value: num(1) } } } },
        context: [{ positive: { example: { case: 'id', value: num(3) } }, negative: { example: { case: 'id', value: num(4) } } }],
        limit: 1n,
      },
    ],
  });
  expect(found.map((batch) => ids(batch.result))).toEqual([[2]]);
  const { result: grouped } = await points.searchGroups({
    collectionName: 'f',
    vector: [1, 0, 0],
    groupBy: 'decade',
    groupSize: 1,
    limit: 2,
  });
  expect(grouped?.groups.map(({ id, hits }) => [id?.kind.value, ids(hits)])).toEqual([
    [1970n, [1]],
    [1980n, [2]],
  ]);
  const { result: queried } = await points.queryGroups({ collectionName: 'f', query: nearest([0, 1, 0]), groupBy: 'decade', limit: 1n });
  expect(queried?.groups.map(({ id, hits }) => [id?.kind.value, ids(hits)])).toEqual([[1940n, [3]]]);
});
