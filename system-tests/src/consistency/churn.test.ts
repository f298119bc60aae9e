// SPDX-License-Identifier: Apache-2.0
/** Points that are rewritten all the time are in every answer that they belong to, each exactly once. */
import { jsonClient, roundsOf, withSeed } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { sharedVectorServer } from '../shared-server.ts';
import { vectorApi } from '../vector-api.ts';
import { TWO_THREADS } from '../vector-server.ts';

const POINTS = roundsOf({ quick: 300, long: 1000 });
const GROUPS = 10;
const DIMENSION = 8;
const WRITES = roundsOf({ quick: 10, long: 600 });
const READERS = 3;

test('searches beside a stream of updates miss no point and show none twice', async () => {
  await withSeed(async (random) => {
    const server = await sharedVectorServer(TWO_THREADS);
    const api = vectorApi(server.client).collection('points');
    const vector = () => Array.from({ length: DIMENSION }, () => random.next());
    const point = (id: number) => ({ id, vector: vector(), payload: { group: id % GROUPS } });
    await api.create({ vectors: { size: DIMENSION, distance: 'Euclid' }, ...GRAPH_ALWAYS });
    await api.upsert(Array.from({ length: POINTS }, (_, id) => point(id)));
    await api.createIndex('group', 'integer');

    let writing = true;
    const readers = Array.from({ length: READERS }, async () => {
      using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
      const own = vectorApi(client).collection('points');
      const group = { must: [{ key: 'group', match: { value: 3 } }] };
      const unindexed = { must_not: [{ key: 'absent', match: { value: 1 } }] };
      for (; writing; ) {
        const answers = [
          { hits: await own.search({ vector: vector(), limit: 2 * POINTS }), size: POINTS },
          { hits: await own.search({ vector: vector(), limit: 50 }), size: 50 },
          { hits: await own.search({ vector: vector(), limit: POINTS, filter: group }), size: POINTS / GROUPS },
          { hits: await own.search({ vector: vector(), limit: POINTS, filter: unindexed }), size: POINTS },
        ];
        for (const { hits, size } of answers) {
          expect(new Set(hits.map(({ id }) => id)).size).toBe(size);
          expect(hits).toHaveLength(size);
          expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => a - b));
        }
        expect(await own.count({ filter: group })).toBe(POINTS / GROUPS);
      }
    });
    const writer = (async () => {
      for (let write = 0; write < WRITES; write++) {
        const first = random.integer(POINTS);
        const count = 1 + random.integer(100);
        await api.upsert(Array.from({ length: count }, (_, index) => point((first + index) % POINTS)));
      }
      writing = false;
    })();
    await Promise.all([writer, ...readers]);
  });
});
