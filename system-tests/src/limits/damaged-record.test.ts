// SPDX-License-Identifier: Apache-2.0
/** A record that changed on the disk: callers of both interfaces learn which, and the log says so too. */
import { globSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-grpc';
import { expect, test } from 'vitest';
import { sharedServerAndData } from '../shared-server.ts';
import { vectorApi } from '../vector-api.ts';
import { grpcAddressOf } from '../vector-server.ts';

const PAYLOAD = { name: 'the book of number 7.' };
/** By its id, or by way of its row. */
const SENTENCE =
  /Collection books: (point 7, in row \d+,|the record that names point 7) is damaged on the disk\. Recover the collection from a snapshot; see the log of the server for details$/;

/** Makes a brace a bracket that closes nothing, in every copy of the record that pages hold. The service reads the file as memory, and so what changes in it. */
async function damagePayload(dataDirectory: string): Promise<void> {
  // The only collection there is.
  const [path = ''] = globSync('collections/*/data.mdb', { cwd: dataDirectory });
  await using file = await open(join(dataDirectory, path), 'r+');
  const bytes = await file.readFile();
  const written = Buffer.from(JSON.stringify(PAYLOAD));
  let damaged = 0;
  for (let at = bytes.indexOf(written); at !== -1; at = bytes.indexOf(written, at + 1)) {
    await file.write(']', at, 'latin1');
    damaged++;
  }
  expect(damaged).toBeGreaterThan(0);
}

test('REST answers 500 and gRPC DATA_LOSS, both with the names of the collection and the point', async () => {
  const { server, directory } = await sharedServerAndData();
  const { client, log } = server;
  const books = vectorApi(client).collection('books');
  await books.create({ vectors: { size: 2, distance: 'Dot' } });
  await books.upsert([
    { id: 7, vector: [1, 0], payload: PAYLOAD },
    { id: 8, vector: [0, 1], payload: { name: 'another' } },
  ]);
  await damagePayload(directory);

  const byName = { filter: { must: { key: 'name', match: { value: 'another' } } } };
  for (const [method, path, body] of [
    ['POST', '/points/scroll', {}],
    ['POST', '/points', { ids: [7] }],
    ['GET', '/points/7', undefined],
    ['POST', '/points/search', { vector: [1, 0], limit: 1, with_payload: true }],
    ['POST', '/points/query', { query: [1, 0], with_payload: true }],
    ['POST', '/points/count', byName],
    ['POST', '/points/payload', { payload: { read: true }, points: [7] }],
  ] as const) {
    const reply = await client.request(method, `/collections/books${path}`, body);
    expect([path, reply.status, reply.body]).toMatchObject([path, 500, { status: { error: expect.stringMatching(SENTENCE) } }]);
  }

  const points = new QdrantClient({ url: grpcAddressOf(server), https: false }).api('points');
  for (const call of [
    points.scroll({ collectionName: 'books' }),
    points.get({
      collectionName: 'books',
      ids: [{ pointIdOptions: { case: 'num', value: 7n } }],
      withPayload: { selectorOptions: { case: 'enable', value: true } },
    }),
  ]) {
    await expect(call).rejects.toThrow(new RegExp(`data_loss. ${SENTENCE.source}`));
  }
  expect(log.filter((line) => line.includes('"level":"error"') && line.includes('point 7'))).not.toHaveLength(0);

  // Everybody else is served.
  expect(await books.count()).toBe(2);
  expect(await books.retrieve([8])).toMatchObject([{ id: 8, payload: { name: 'another' } }]);
});
