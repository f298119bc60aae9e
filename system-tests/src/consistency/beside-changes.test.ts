// SPDX-License-Identifier: Apache-2.0
/** What readers see on every thread while something changes beside them: vectors, field indexes, points. */
import { type ChildServer, jsonClient, roundsOf, withSeed } from '@sextant/foundation-testing';
import { beforeAll, expect, test } from 'vitest';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { RequestError, scrollAll, vectorApi } from '../vector-api.ts';
import { TWO_THREADS } from '../vector-server.ts';

const READERS = 3;
const POINTS = 300;
const ROUNDS = roundsOf({ quick: 3, long: 60 });
const OWNERS = 3;
const TOGGLES = roundsOf({ quick: 10, long: 600 });
const CHANGED_POINTS = roundsOf({ quick: 300, long: 1000 });
const GROUPS = 10;
const DIMENSION = 8;
const WRITES = roundsOf({ quick: 10, long: 600 });
let server: ChildServer;

beforeAll(async () => {
  server = await sharedVectorServer(TWO_THREADS);
});

test('searches by other vectors find the same, and what was added is found on every thread', async () => {
  const api = vectorApi(server.client).collection('changed vectors');
  const line = { size: 1, distance: 'Euclid' } as const;
  await api.create({ vectors: { kept: line } });
  await api.upsert(Array.from({ length: POINTS }, (_, id) => ({ id, vector: { kept: [id] } })));

  let changing = true;
  const readers = Array.from({ length: READERS }, async () => {
    using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
    const own = vectorApi(client).collection('changed vectors');
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
          .collection('changed vectors')
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

test('filters find the same while their field index is created and deleted', async () => {
  const api = vectorApi(server.client).collection('changed indexes');
  await api.create({ vectors: { size: 2, distance: 'Euclid' } });
  await api.upsert(Array.from({ length: POINTS }, (_, id) => ({ id, vector: [id, 0], payload: { owner: id % OWNERS } })));
  const filter = { must: [{ key: 'owner', match: { value: 1 } }] };
  const expected = Array.from({ length: POINTS / OWNERS }, (_, index) => OWNERS * index + 1);

  let toggling = true;
  const readers = Array.from({ length: READERS }, async () => {
    using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
    const own = vectorApi(client).collection('changed indexes');
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

/** Points that are rewritten all the time are in every answer that they belong to, each exactly once. */
test('searches beside a stream of updates miss no point and show none twice', async () => {
  await withSeed(async (random) => {
    const api = vectorApi(server.client).collection('changed points');
    const vector = () => Array.from({ length: DIMENSION }, () => random.next());
    const point = (id: number) => ({ id, vector: vector(), payload: { group: id % GROUPS } });
    await api.create({ vectors: { size: DIMENSION, distance: 'Euclid' }, ...GRAPH_ALWAYS });
    await api.upsert(Array.from({ length: CHANGED_POINTS }, (_, id) => point(id)));
    await api.createIndex('group', 'integer');

    let writing = true;
    const readers = Array.from({ length: READERS }, async () => {
      using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
      const own = vectorApi(client).collection('changed points');
      const group = { must: [{ key: 'group', match: { value: 3 } }] };
      const unindexed = { must_not: [{ key: 'absent', match: { value: 1 } }] };
      for (; writing; ) {
        const answers = [
          { hits: await own.search({ vector: vector(), limit: 2 * CHANGED_POINTS }), size: CHANGED_POINTS },
          { hits: await own.search({ vector: vector(), limit: 50 }), size: 50 },
          { hits: await own.search({ vector: vector(), limit: CHANGED_POINTS, filter: group }), size: CHANGED_POINTS / GROUPS },
          { hits: await own.search({ vector: vector(), limit: CHANGED_POINTS, filter: unindexed }), size: CHANGED_POINTS },
        ];
        for (const { hits, size } of answers) {
          expect(new Set(hits.map(({ id }) => id)).size).toBe(size);
          expect(hits).toHaveLength(size);
          expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => a - b));
        }
        expect(await own.count({ filter: group })).toBe(CHANGED_POINTS / GROUPS);
      }
    });
    const writer = (async () => {
      for (let write = 0; write < WRITES; write++) {
        const first = random.integer(CHANGED_POINTS);
        const count = 1 + random.integer(100);
        await api.upsert(Array.from({ length: count }, (_, index) => point((first + index) % CHANGED_POINTS)));
      }
      writing = false;
    })();
    await Promise.all([writer, ...readers]);
  });
});
