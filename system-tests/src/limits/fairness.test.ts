// SPDX-License-Identifier: Apache-2.0
/** One client's long request does not stand in the way of another's short ones. The proof is an order of events, not a time. */

import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, type JsonClient, jsonClient, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inLanes } from '../lanes.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';

const POINTS = 6000;
const DIMENSION = 128;
const BATCH = 2000;
const QUICK_REQUESTS = 8;
/** On a machine that is busy elsewhere the long request may be over first; it is never, time after time, where short ones have their turn. */
const TRIES_MAX = 4;
const WIDE = { points: 2000, dimension: 768 };
const BODY_LIMIT_BYTES = 128 * 1024 * 1024;
/** A graph would be built beside the requests, and none of them reads it. */
const WITHOUT_GRAPH = { optimizers_config: { indexing_threshold: 0 } };

const random = seededRandom(7);
let directory: TemporaryDirectory;
let server: ChildServer;

beforeAll(async () => {
  directory = await temporaryDirectory();
  const environment = { ...TWO_THREADS, SERVICE_BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES) };
  server = await startVectorServer({ directory: directory.path, environment });
  const vectors = vectorApi(server.client);
  const large = vectors.collection('large');
  await large.create({ vectors: { size: DIMENSION, distance: 'Euclid' }, ...WITHOUT_GRAPH });
  await inLanes(POINTS / BATCH, 2, async (batch) => {
    const points = Array.from({ length: BATCH }, (_, index) => {
      const id = batch * BATCH + index;
      return { id, vector: vector(DIMENSION), payload: { text: `note ${id} of the log`, part: { number: id } } };
    });
    await large.upsert(points);
  });
  const small = vectors.collection('small');
  await small.create({ vectors: { size: 4, distance: 'Dot' } });
  await small.upsert(Array.from({ length: 100 }, (_, id) => ({ id, vector: vector(4) })));
  await vectors.collection('wide').create({ vectors: { size: WIDE.dimension, distance: 'Dot' }, ...WITHOUT_GRAPH });
});

afterAll(async () => {
  await server.stop();
  await directory[Symbol.asyncDispose]();
});

type LongRequest = { readonly method: string; readonly path: string; readonly body: Uint8Array };

function encode(method: string, path: string, body: unknown): LongRequest {
  return { method, path, body: Buffer.from(JSON.stringify(body)) };
}

const LONG_REQUESTS: readonly (readonly [string, () => LongRequest])[] = [
  [
    '1,000 exact searches in one request',
    () => {
      const searches = Array.from({ length: 1000 }, () => ({ vector: vector(DIMENSION), limit: 10, params: { exact: true } }));
      return encode('POST', '/collections/large/points/search/batch', { searches });
    },
  ],
  [
    '20 searches by filters without a field index',
    () => {
      const filter = (index: number) => ({
        must: [{ key: 'text', match: { text: `${index}` } }],
        must_not: [{ key: 'part.number', range: { lt: index } }],
      });
      const searches = Array.from({ length: 20 }, (_, index) => ({ vector: vector(DIMENSION), limit: 10, filter: filter(index) }));
      return encode('POST', '/collections/large/points/search/batch', { searches });
    },
  ],
  [
    `an upsert of ${WIDE.points} points of ${WIDE.dimension} dimensions`,
    () => {
      const points = Array.from({ length: WIDE.points }, (_, id) => ({ id, vector: vector(WIDE.dimension) }));
      return encode('PUT', '/collections/wide/points', { points });
    },
  ],
];

describe('short requests are answered while the server works on', () => {
  test.each(LONG_REQUESTS)('%s', async (_name, makeRequest) => {
    const request = makeRequest();
    let events = await answersBeside(request);
    for (let tries = 1; tries < TRIES_MAX && events.at(-1) !== 'long'; tries++) events = await answersBeside(request);
    expect(events).toEqual([...Array.from({ length: QUICK_REQUESTS }, () => 'quick'), 'long']);
  });
});

/** What was answered, in its order: a long request, and short ones that came after it, one at a time. */
async function answersBeside({ method, path, body }: LongRequest): Promise<readonly string[]> {
  const events: string[] = [];
  const long = server.client.request(method, path, body).then(({ status }) => {
    expect(status).toBe(200);
    events.push('long');
  });
  await sleep(30);
  // A connection for each, so that some of them reach the thread that is at work.
  using client = jsonClient({ baseUrl: server.address, keepAlive: false });
  for (let index = 0; index < QUICK_REQUESTS; index++) {
    await quickSearch(client);
    events.push('quick');
  }
  await long;
  return events;
}

async function quickSearch(client: JsonClient): Promise<void> {
  const hits = await vectorApi(client)
    .collection('small')
    .search({ vector: [1, 0, 0, 0], limit: 3 });
  expect(hits).toHaveLength(3);
}

function vector(dimension: number): number[] {
  return Array.from({ length: dimension }, () => random.integer(2000) / 1000 - 1);
}
