// SPDX-License-Identifier: Apache-2.0
/** The published REST client, unchanged, in the two versions that users have: what they call works as they expect. */
import { QdrantClient as Client119 } from '@qdrant/js-client-rest';
import type { ChildServer } from '@sextant/foundation-testing';
import { QdrantClient as Client118 } from 'qdrant-client-1-18';
import { fetch as fetchOfNode22 } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { CITIES, type RestClient, restClientFlows } from './qdrant-rest.conformance.ts';

let server: ChildServer;

beforeAll(async () => {
  server = await sharedVectorServer();
});

/**
 * Client 1.18 hands the built-in `fetch` a connection pool of its undici 6, which is the undici inside Node 20 and 22 but which the `fetch` of
 * Node 26 no longer takes. So it gets the `fetch` that its users have.
 */
function withFetchOfNode22(): void {
  beforeAll(() => void vi.stubGlobal('fetch', fetchOfNode22));
  afterAll(() => void vi.unstubAllGlobals());
}

describe.each([
  { version: '1.18.0', connect: (url: string): RestClient => new Client118({ url }), prepare: withFetchOfNode22 },
  { version: '1.19.0', connect: (url: string): RestClient => new Client119({ url }), prepare: () => {} },
])('@qdrant/js-client-rest $version', ({ version, connect, prepare }) => {
  prepare();
  restClientFlows(version, () => connect(server.address));
});

describe('@qdrant/js-client-rest 1.18.0', () => {
  withFetchOfNode22();

  test('searches by the endpoint that newer ones no longer have', async () => {
    const client = new Client118({ url: server.address });
    await client.createCollection('search', { vectors: { size: 4, distance: 'Euclid' } });
    await client.upsert('search', { wait: true, points: CITIES });
    const vector = [0.05, 0.61, 0.76, 0.74];
    const hits = await client.search('search', { vector, limit: 2, with_payload: true, params: { exact: true } });
    expect(hits).toMatchObject([{ id: 1, score: expect.closeTo(0, 5), payload: CITIES[0]?.payload }, { id: 3 }]);
    const filter = { must: [{ key: 'city', match: { except: ['Berlin'] } }] };
    const batches = await client.searchBatch('search', {
      searches: [
        { vector, limit: 1, filter },
        { vector, limit: 1, offset: 1 },
      ],
    });
    expect(batches.map((batch) => batch.map(({ id }) => id))).toEqual([[3], [3]]);
  });
});
