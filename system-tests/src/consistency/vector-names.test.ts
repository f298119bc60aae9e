// SPDX-License-Identifier: Apache-2.0
/** What readers see while vectors are added and removed beside them. */
import { jsonClient, roundsOf } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { RequestError, vectorApi } from '../vector-api.ts';
import { TWO_THREADS } from '../vector-server.ts';

const POINTS = 300;
const ROUNDS = roundsOf({ quick: 3, long: 60 });
const READERS = 3;

test('searches by other vectors find the same, and what was added is found on every thread', async () => {
  const server = await sharedVectorServer(TWO_THREADS);
  const api = vectorApi(server.client).collection('points');
  const line = { size: 1, distance: 'Euclid' } as const;
  await api.create({ vectors: { kept: line } });
  await api.upsert(Array.from({ length: POINTS }, (_, id) => ({ id, vector: { kept: [id] } })));

  let changing = true;
  const readers = Array.from({ length: READERS }, async () => {
    using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
    const own = vectorApi(client).collection('points');
    let reads = 0;
    for (; changing; reads++) {
      const hits = await own.search({ vector: { name: 'kept', vector: [0] }, limit: 5 });
      expect(hits.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
      // Between an addition and the first write to it, nobody has it.
      const found = await own.query({ query: [7], using: 'new', limit: 5 }).catch(refusalOf);
      expect(found === 400 || found.length <= 1).toBe(true);
    }
    return reads;
  });
  const changes = (async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await api.addVector('new', { dense: line });
      await api.updateVectors([{ id: round, vector: { new: [7] } }]);
      // Over another connection each, and so on whichever thread.
      for (let thread = 0; thread < READERS; thread++) {
        using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
        const found = await vectorApi(client)
          .collection('points')
          .query({ query: [7], using: 'new', limit: 5 });
        expect(found).toMatchObject([{ id: round, score: 0 }]);
      }
      await api.removeVector('new');
    }
    changing = false;
  })();

  const [, ...reads] = await Promise.all([changes, ...readers]);
  expect(Math.min(...reads)).toBeGreaterThan(0);
});

function refusalOf(error: unknown): 400 {
  if (error instanceof RequestError && error.status === 400) return 400;
  throw error;
}
