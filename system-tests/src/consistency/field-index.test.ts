// SPDX-License-Identifier: Apache-2.0
/** What readers see while something changes beside them. */
import { jsonClient, roundsOf } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { TWO_THREADS } from '../vector-server.ts';

const POINTS = 300;
const OWNERS = 3;
const TOGGLES = roundsOf({ quick: 10, long: 600 });
const READERS = 3;

test('filters find the same while their field index is created and deleted', async () => {
  const server = await sharedVectorServer(TWO_THREADS);
  const api = vectorApi(server.client).collection('points');
  await api.create({ vectors: { size: 2, distance: 'Euclid' } });
  await api.upsert(Array.from({ length: POINTS }, (_, id) => ({ id, vector: [id, 0], payload: { owner: id % OWNERS } })));
  const filter = { must: [{ key: 'owner', match: { value: 1 } }] };
  const expected = Array.from({ length: POINTS / OWNERS }, (_, index) => OWNERS * index + 1);

  let toggling = true;
  const readers = Array.from({ length: READERS }, async () => {
    using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
    const own = vectorApi(client).collection('points');
    let reads = 0;
    for (; toggling; reads++) {
      expect(await own.count({ filter })).toBe(expected.length);
      expect((await scrollAll(own, filter)).map(({ id }) => id)).toEqual(expected);
      const hits = await own.search({ vector: [0, 0], limit: 5, filter });
      expect(hits.map(({ id }) => id)).toEqual(expected.slice(0, 5));
    }
    return reads;
  });
  const toggles = (async () => {
    for (let toggle = 0; toggle < TOGGLES; toggle++) {
      await api.createIndex('owner', 'integer');
      await api.deleteIndex('owner');
    }
    toggling = false;
  })();

  const [, ...reads] = await Promise.all([toggles, ...readers]);
  expect(Math.min(...reads)).toBeGreaterThan(0);
});
