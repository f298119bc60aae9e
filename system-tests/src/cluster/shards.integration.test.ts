// SPDX-License-Identifier: Apache-2.0
/** A collection in shards on three nodes answers what the same points in one piece answer, by way of any node. */
import { seededRandom } from '@sextant/foundation-std';
import { type ChildServer, missingNats } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { vectorApi } from '../vector-api.ts';
import { serverAt as at, NODES } from './cluster-nodes.ts';
import { sharedCluster } from './shared-cluster.ts';

const missing = missingNats();
const POINTS = 60;
const COLORS = ['red', 'green', 'blue', 'white'];

const random = seededRandom(19);
const component = () => random.integer(2001) / 1000 - 1;
const points = Array.from({ length: POINTS }, (_, at) => ({
  id: at % 7 === 0 ? `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` : at,
  vector: {
    image: [component(), component(), component(), component()],
    words: { indices: [at % 5, 5 + (at % 3)], values: [1 + (at % 4), 0.5] },
  },
  payload: { color: COLORS[random.integer(4)], rank: at, price: random.integer(9) },
}));

const image = (x: number) => [x, 0.5, -0.25, 0.125];
const exact = { exact: true };
const shown = { with_payload: true, with_vector: true };

/** Path below the collection, and body. Answers are compared as they come. */
const QUESTIONS: readonly (readonly [string, object])[] = [
  ['points/search', { vector: { name: 'image', vector: image(1) }, limit: 10, params: exact, ...shown }],
  ['points/search', { vector: { name: 'image', vector: image(-1) }, limit: 5, offset: 7, params: exact, score_threshold: -0.9 }],
  ['points/query', { query: { indices: [1, 6], values: [1, 2] }, using: 'words', limit: 3, with_payload: ['rank'] }],
  ['points/query', { query: 3, using: 'image', limit: 6, params: exact, filter: { must: [{ key: 'color', match: { value: 'red' } }] } }],
  [
    'points/query',
    { query: { recommend: { positive: [1, 2], negative: [3], strategy: 'best_score' } }, using: 'image', limit: 8, params: exact },
  ],
  [
    'points/query',
    { query: { discover: { target: 4, context: [{ positive: 5, negative: 6 }] } }, using: 'image', limit: 5, params: exact },
  ],
  ['points/query', { query: { order_by: { key: 'rank', direction: 'desc' } }, limit: 9, with_payload: true }],
  [
    'points/query',
    {
      prefetch: [
        { query: image(1), using: 'image', limit: 12, params: exact },
        { query: 8, using: 'image', limit: 12, params: exact },
      ],
      query: { rrf: { k: 7 } },
      limit: 3,
    },
  ],
  [
    'points/query',
    {
      prefetch: { query: image(1), using: 'image', limit: 20, params: exact },
      query: { formula: { sum: ['$score', { mult: [0.1, 'price'] }, { key: 'color', match: { value: 'blue' } }] } },
      limit: 7,
    },
  ],
  [
    'points/query/groups',
    { query: image(1), using: 'image', params: exact, group_by: 'color', group_size: 3, limit: 4, with_payload: true },
  ],
  ['points/scroll', { limit: 17, ...shown }],
  ['points/scroll', { limit: 4, offset: 20 }],
  ['points/scroll', { limit: 9, order_by: { key: 'price', direction: 'asc' } }],
  ['points/count', { filter: { must: [{ key: 'price', range: { gte: 4 } }] } }],
  ['points', { ids: [3, 1, 3, 999, points[0]?.id], with_vector: true }],
  ['facet', { key: 'color' }],
  ['facet', { key: 'price', limit: 3 }],
  ['points/search/matrix/pairs', { using: 'image', sample: 100, limit: 2 }],
];

/** What is refused, in the same words. */
const MISTAKES: readonly (readonly [string, string, object])[] = [
  ['POST', 'points/search', { vector: { name: 'image', vector: [1] }, limit: 1 }],
  ['POST', 'points/query', { query: 999, using: 'image', limit: 1 }],
  ['POST', 'points/scroll', { order_by: 'color' }],
  ['POST', 'facet', { key: 'unknown' }],
  ['PUT', 'points?wait=true', { points: [{ id: 1, vector: { image: [1] } }] }],
  ['POST', 'points/payload?wait=true', { points: [1, 2, 999], payload: { color: 'black' } }],
  ['PUT', 'points/vectors?wait=true', { points: [{ id: 999, vector: { image: image(1) } }] }],
];

describe.skipIf(missing !== undefined)(missing ?? 'three nodes over NATS', () => {
  test('answer together what one of them would answer alone', { timeout: 120_000 }, async () => {
    const { cluster } = await sharedCluster();
    const vectors = { image: { size: 4, distance: 'Cosine' } };
    const common = { vectors, sparse_vectors: { words: { modifier: 'idf' } } };
    await send(at(cluster, 0), 'PUT', '/collections/whole', common);
    await send(at(cluster, 1), 'PUT', '/collections/parts', { ...common, shard_number: 5 });
    await send(at(cluster, 2), 'PUT', '/collections/copies', { ...common, shard_number: 4, replication_factor: 2 });
    const names = ['whole', 'parts', 'copies'];
    for (const [place, name] of names.entries()) {
      for (const [field, schema] of [
        ['color', 'keyword'],
        ['price', 'integer'],
        ['rank', 'integer'],
      ]) {
        await send(at(cluster, place), 'PUT', `/collections/${name}/index?wait=true`, { field_name: field, field_schema: schema });
      }
      for (let from = 0; from < POINTS; from += 20) {
        await send(at(cluster, place + from / 20), 'PUT', `/collections/${name}/points?wait=true`, {
          points: points.slice(from, from + 20),
        });
      }
      await send(at(cluster, place), 'POST', `/collections/${name}/points/payload?wait=true`, {
        points: [1, 2, 9],
        payload: { price: 100 },
      });
      await send(at(cluster, place + 1), 'POST', `/collections/${name}/points/delete?wait=true`, {
        filter: { must: [{ key: 'rank', range: { gte: 55 } }] },
      });
      await send(at(cluster, place), 'POST', `/collections/${name}/points/delete?wait=true`, { points: [10, 11, 999] });
    }
    // Each question goes to the next node: they all answer by way of the same code, and none of them has all of the points.
    for (const [turn, [path, body]] of QUESTIONS.entries()) {
      const [whole, ...others] = await Promise.all(names.map((name) => ask(at(cluster, turn), `/collections/${name}/${path}`, body)));
      for (const other of others) expect(other, `${path} ${JSON.stringify(body)} at ${NODES[turn % NODES.length]}`).toEqual(whole);
    }
    for (const [turn, [method, path, body]] of MISTAKES.entries()) {
      const answers = names.map(async (name) => {
        const reply = await at(cluster, turn).client.request(method, `/collections/${name}/${path}`, body);
        return JSON.stringify({ status: reply.status, ...(reply.body as object), time: 0 }).replaceAll(name, 'films');
      });
      const [whole, ...others] = await Promise.all(answers);
      expect(JSON.parse(whole ?? '')).toMatchObject({ status: expect.anything() });
      for (const other of others) expect(other, `${method} ${path}`).toBe(whole);
    }
    const info = await vectorApi(at(cluster, 0).client).collection('parts').info();
    expect(info).toMatchObject({ points_count: 53, config: { params: { shard_number: 5 } } });
    const held = await Promise.all(NODES.map((_, node) => clusterOf(at(cluster, node), 'parts')));
    expect(held.map(({ local_shards: { length } }) => length).toSorted((one, other) => one - other)).toEqual([1, 2, 2]);
    expect(held.flatMap(({ local_shards: local }) => local).reduce((sum, { points_count: count }) => sum + count, 0)).toBe(53);
    expect(held.every(({ shard_count: count }) => count === 5)).toBe(true);

    // No node has all of the points.
    await send(at(cluster, 0), 'PATCH', '/collections/parts', { strict_mode_config: { enabled: true, max_points_count: 53 } });
    await send(at(cluster, 2), 'POST', '/collections/parts/points/count?consistency=majority', {});
    for (const node of NODES.keys()) {
      const refused = await at(cluster, node).client.request('PUT', '/collections/parts/points', { points: points.slice(0, 1) });
      expect(refused).toMatchObject({ status: 400, body: { status: { error: 'Max points count limit of 53 reached!' } } });
    }
    await send(at(cluster, 0), 'PATCH', '/collections/parts', { strict_mode_config: { enabled: false } });

    // A node that is gone takes its shards with it, unless others have them too.
    const gone = held.findIndex(({ local_shards: { length } }) => length > 1);
    await cluster.servers[gone]?.kill();
    for (const node of NODES.keys()) {
      if (node === gone) continue;
      const refused = await at(cluster, node).client.request('POST', '/collections/parts/points/count', {});
      expect(refused).toMatchObject({
        status: 503,
        body: { status: { error: expect.stringContaining(`A shard of parts cannot be reached`) } },
      });
      expect(await ask(at(cluster, node), '/collections/copies/points/count', {})).toMatchObject({ count: 53 });
    }
    await cluster.start(gone);
    expect(await ask(at(cluster, gone + 1), '/collections/parts/points/count', {})).toMatchObject({ count: 53 });

    const nobody = await fetch(`${at(cluster, 0).address}/cluster/shards`, { method: 'POST', body: 'anything' });
    expect(nobody.status).toBe(401);
    expect(await send(at(cluster, 1), 'DELETE', '/collections/parts')).toBe(true);
    await expect.poll(() => vectorApi(at(cluster, 2).client).collection('parts').exists()).toBe(false);
  });
});

type Held = { readonly shard_count: number; readonly local_shards: readonly { readonly points_count: number }[] };

function clusterOf(server: ChildServer, collection: string): Promise<Held> {
  return send(server, 'GET', `/collections/${collection}/cluster`) as Promise<Held>;
}

function send(server: ChildServer, method: string, path: string, body?: object): Promise<unknown> {
  return vectorApi(server.client).call(method, path, body);
}

/** As new as what any node has acknowledged. No two hits of the questions are equally good, so there is one order. */
async function ask(server: ChildServer, path: string, body: object): Promise<unknown> {
  return send(server, 'POST', `${path}?consistency=majority`, body);
}
