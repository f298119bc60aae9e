// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { jsonClient, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { inLanes } from '../lanes.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';

const DIMENSION = 64;
const POINTS = 3000;
const SEARCH_CLIENTS = 4;
const SEARCHES = 500;
const WRITERS = 3;

test('SIGTERM under load: requests in flight are answered, acknowledged writes are kept, the exit code is 0', async () => {
  const random = seededRandom(11);
  const vector = () => Array.from({ length: DIMENSION }, () => random.integer(200) / 100 - 1);
  await using directory = await temporaryDirectory();
  await using server = await startVectorServer({ directory: directory.path, environment: TWO_THREADS });
  const api = vectorApi(server.client).collection('load');
  // Without a graph, which would be built beside the load.
  await api.create({ vectors: { size: DIMENSION, distance: 'Dot' }, optimizers_config: { indexing_threshold: 0 } });
  const points = (first: number, count: number) => Array.from({ length: count }, (_, index) => ({ id: first + index, vector: vector() }));
  await api.upsert(points(0, POINTS));

  const searches = Array.from({ length: SEARCHES }, () => ({ vector: vector(), limit: 5, params: { exact: true } }));
  using searcher = jsonClient({ baseUrl: server.address, connectionsMax: SEARCH_CLIENTS });
  const load = vectorApi(searcher).collection('load');
  // The connections are there before the requests that matter: only what the server has accepted is in flight.
  await Promise.all(Array.from({ length: SEARCH_CLIENTS }, () => load.count()));
  const inFlight = Promise.allSettled(
    Array.from({ length: SEARCH_CLIENTS }, async () => {
      const answers = await load.searchBatch(searches);
      return answers.filter((hits) => hits.length === 5).length;
    }),
  );
  const acknowledged = new Set<number>();
  let stopping = false;
  // Each writer has had an answer: by then the searches, which were sent before, are with the server.
  const underLoad = Array.from({ length: WRITERS }, () => Promise.withResolvers<void>());
  const writers = underLoad.map(async ({ resolve }, writer) => {
    using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
    const own = vectorApi(client).collection('load');
    try {
      for (let first = (writer + 1) * 1_000_000; ; first += 50) {
        await own.upsert(points(first, 50));
        for (let id = first; id < first + 50; id++) acknowledged.add(id);
        resolve();
      }
    } catch (error) {
      // A request that comes after the signal may be refused, by a 503 or by a closed door.
      if (!stopping) throw error;
    }
  });
  await Promise.race([Promise.all(underLoad.map(({ promise }) => promise)), Promise.all(writers)]);
  stopping = true;
  await server.stop();

  const answered = { status: 'fulfilled', value: SEARCHES };
  expect(await inFlight).toEqual(Array.from({ length: SEARCH_CLIENTS }, () => answered));
  await Promise.all(writers);
  expect(acknowledged.size).toBeGreaterThan(0);

  await using again = await startVectorServer({ directory: directory.path });
  const ids = [...acknowledged];
  const kept = vectorApi(again.client).collection('load');
  await inLanes(Math.ceil(ids.length / 500), 2, async (page) => {
    const some = ids.slice(page * 500, (page + 1) * 500);
    expect((await kept.retrieve(some)).length).toBe(some.length);
  });
  await again.stop();
});
