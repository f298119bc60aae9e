// SPDX-License-Identifier: Apache-2.0
/** Bodies as clients of other revisions of the API family send them. */
import { builtCapabilities } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const servers: { readonly [mode: string]: TestServer } = {
  refuse: await testServer({ unknownMembers: 'refuse', capabilities: builtCapabilities }),
  known: await testServer({ capabilities: builtCapabilities }),
  ignore: await testServer({ unknownMembers: 'ignore', capabilities: builtCapabilities }),
};
const serverWith = (mode: string): TestServer => {
  const server = servers[mode];
  assert(server !== undefined, 'one for each mode');
  return server;
};
const LONG = Array.from({ length: 100 }, (_, at) => at / 7);

beforeAll(async () => {
  for (const server of Object.values(servers)) {
    await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
    await server.call('PUT', '/collections/long', { vectors: { size: 100, distance: 'Dot' } });
    for (const name of ['things', 'long']) {
      const vector = name === 'long' ? LONG.map(() => 0) : [0, 0];
      await server.call('PUT', `/collections/${name}/points`, { points: [{ id: 1, vector, payload: { kept: true } }] });
    }
  }
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server[Symbol.asyncDispose]())));

const answered = async (mode: string, [method, path, body]: readonly [method: string, path: string, body: unknown]) => {
  const reply = await serverWith(mode).call(method, path, body);
  const { status } = reply.body as { status: 'ok' | { error: string } };
  return [reply.status, typeof status === 'string' ? status : status.error];
};

describe.each(['known', 'ignore'])('with unknown members %s', (mode) => {
  test.each([
    ['whole points in an update of vectors', 'things', [1, 2]],
    ['whole points with vectors that are cut from the body', 'long', LONG],
  ])('%s change the vectors alone', async (_, name, vector) => {
    const points = [{ id: 1, vector, payload: { kept: false } }];
    expect(await answered(mode, ['PUT', `/collections/${name}/points/vectors`, { points }])).toEqual([200, 'ok']);
    const operations = [{ update_vectors: { points } }];
    expect(await answered(mode, ['POST', `/collections/${name}/points/batch`, { operations }])).toEqual([200, 'ok']);
    const { body } = await serverWith(mode).call('GET', `/collections/${name}/points/1`);
    const stored = (body as { result: { vector: number[]; payload: object } }).result;
    expect(stored.payload).toEqual({ kept: true });
    expect(stored.vector).toEqual(vector.map((x) => expect.closeTo(x, 5)));
  });

  test('a recovery may say in its body that it is waited for', async () => {
    const recover = ['PUT', '/collections/things/snapshots/recover', { location: 'file:///nowhere.snapshot', wait: true }] as const;
    expect((await answered(mode, recover))[1]).not.toContain('wait');
  });
});

test.each([
  [
    'PUT',
    '/collections/things/points/vectors',
    { points: [{ id: 1, vector: [1, 2], payload: {} }] },
    'points[0].payload: unknown member; expected one of id, vector, vectors',
  ],
  [
    'PUT',
    '/collections/things/points/vectors',
    { points: [{ id: 1, vector: LONG, payload: {} }] },
    'points[0].payload: unknown member; expected one of id, vector, vectors',
  ],
  [
    'PUT',
    '/collections/things/snapshots/recover',
    { location: 'file:///x', wait: true },
    'wait: unknown member; expected one of location, priority, checksum, api_key',
  ],
])('with unknown members refused, %s %s %j is', async (method, path, body, error) => {
  expect(await answered('refuse', [method, path, body])).toEqual([400, error]);
});

const FUTURE = [
  'POST',
  '/collections/things/points/search',
  { vector: [1, 2], limit: 1, params: { exact: true, of_tomorrow: 1 }, tomorrow: {} },
] as const;
const SLIP = ['POST', '/collections/things/points/search', { vector: [1, 2], limit: 1, fliter: {} }] as const;

test('what nobody is known to send is refused, with the name that may be meant, unless all is ignored', async () => {
  expect(await answered('known', FUTURE)).toEqual([400, expect.stringContaining('of_tomorrow: unknown member')]);
  expect(await answered('known', SLIP)).toEqual([400, "fliter: unknown member; did you mean 'filter'?"]);
  expect(await answered('ignore', FUTURE)).toEqual([200, 'ok']);
  expect(await answered('ignore', SLIP)).toEqual([200, 'ok']);
});

test.each([
  { filter: { musst: [{ has_id: [1] }] } },
  { filter: { must: [{ key: 'a', match: { value: 1 }, tomorrow: 1 }] } },
  { filter: { must: [{ nested: { key: 'a', filter: { must_nott: [] } } }] } },
])('a filter with an unknown member is refused in any case: %j', async (body) => {
  expect((await answered('ignore', ['POST', '/collections/things/points/delete', body]))[0]).toBe(400);
  expect((await answered('ignore', ['POST', '/collections/things/points/count', body]))[0]).toBe(400);
  expect(await answered('ignore', ['GET', '/collections/things/points/1', undefined])).toEqual([200, 'ok']);
});

test('a body that is nested too deeply says so, whatever is ignored', async () => {
  const deep = `{"points":[],"filter":${'{"must":'.repeat(30_000)}{}${'}'.repeat(30_000)},"odd":1}`;
  const reply = await serverWith('ignore').call('POST', '/collections/things/points/count', deep);
  expect(reply.status).toBe(400);
});

describe.each(['refuse', 'known', 'ignore'])('other names of members, with unknown ones %s', (mode) => {
  const configOf = async (name: string) => {
    const { body } = await serverWith(mode).call('GET', `/collections/${name}`);
    return (body as { result: { config: object } }).result.config;
  };

  test('count as their own when a collection is created and changed', async () => {
    const create = { vectors: { size: 2, distance: 'Dot' }, quantization: { binary: {} }, optimizer_config: { indexing_threshold: 77 } };
    expect(await answered(mode, ['PUT', '/collections/named', create])).toEqual([200, 'ok']);
    expect(await configOf('named')).toMatchObject({ quantization_config: { binary: {} }, optimizer_config: { indexing_threshold: 77 } });
    expect(
      await answered(mode, ['PATCH', '/collections/named', { quantization: 'Disabled', optimizer_config: { indexing_threshold: 78 } }]),
    ).toEqual([200, 'ok']);
    expect(await configOf('named')).toMatchObject({ optimizer_config: { indexing_threshold: 78 } });
    expect((await configOf('named')) as { quantization_config?: unknown }).not.toMatchObject({ quantization_config: { binary: {} } });
  });

  test('are refused beside the usual ones, and held to the same schema', async () => {
    const vectors = { size: 2, distance: 'Dot' };
    const both = { vectors, quantization: null, quantization_config: null };
    expect(await answered(mode, ['PUT', '/collections/both', both])).toEqual([
      400,
      'quantization: it is another name of quantization_config; give only one of the two',
    ]);
    expect((await answered(mode, ['PUT', '/collections/both', { vectors, quantization: { binary: { encoding: 'none' } } }]))[1]).toContain(
      'quantization_config.binary.encoding',
    );
    expect((await answered(mode, ['PUT', '/collections/both', { vectors, init_from: { collection: 'things' } }]))[0]).toBe(
      mode === 'ignore' ? 200 : 400,
    );
  });
});
