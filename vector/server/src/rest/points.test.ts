// SPDX-License-Identifier: Apache-2.0
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

const UUID = '550e8400-e29b-41d4-a716-446655440000';
const BIG = 18446744073709551615n;

let server: TestServer;
const call = (method: string, path: string, body?: unknown) => server.call(method, `/collections/things${path}`, body);
beforeAll(async () => {
  server = await testServer();
});
beforeEach(async () => {
  await server.call('PUT', '/collections/things', { vectors: { size: 2, distance: 'Dot' } });
});
afterEach(() => server.reset());
afterAll(() => server[Symbol.asyncDispose]());

const ok = (result: unknown) => ({ usage: { hardware: null }, time: expect.any(Number), status: 'ok', result });
const error = (text: unknown) => ({ time: expect.any(Number), status: { error: text } });
const completed = ok({ operation_id: expect.any(Number), status: 'Completed' });

/** Whether an upsert under this condition replaces the point 1 of version 1. */
function isReplaced({ update_mode: mode, update_filter: filter }: { update_mode?: string; update_filter?: object }): boolean {
  return mode !== 'insert_only' && !(filter !== undefined && 'must_not' in filter);
}

async function idsThere(): Promise<unknown> {
  const { body } = await call('POST', '/points/scroll', { limit: 100, with_payload: false });
  return (body as { result: { points: { id: unknown }[] } }).result.points.map(({ id }) => id);
}

describe('an upsert', () => {
  test('as points is durable when it is answered, whatever wait says', async () => {
    const points = [
      { id: 1, vector: [0.1, -2], payload: { color: 'red' } },
      { id: BIG, vector: [1, 2], payload: null },
      { id: UUID.toUpperCase(), vectors: [3, 4] },
    ];
    expect((await call('PUT', '/points?wait=false&ordering=strong&timeout=5', { points })).body).toEqual(completed);
    expect(await idsThere()).toEqual([1, BIG, UUID]);
    expect((await call('GET', '/points/1')).body).toEqual(ok({ id: 1, vector: [0.1, -2], payload: { color: 'red' } }));
  });

  test.each([
    [{ update_mode: 'insert_only' }, [1, 2]],
    [{ update_mode: 'update_only' }, [1]],
    [{ update_filter: { must: { key: 'version', match: { value: 1 } } } }, [1, 2]],
    [{ update_mode: 'update_only', update_filter: { must_not: [{ has_id: [1] }] } }, [1]],
  ])('%j writes what it says, alone and in a batch', async (condition, there) => {
    const versioned = (id: number, version: number) => ({ id, vector: [version, 0], payload: { version } });
    await call('PUT', '/points', { points: [versioned(1, 1)] });
    const upsert = { points: [versioned(1, 2), versioned(2, 2)], ...condition };
    expect((await call('PUT', '/points', upsert)).body).toEqual(completed);
    expect(await idsThere()).toEqual(there);
    const first = (await call('GET', '/points/1')).body;
    expect(first).toMatchObject({ result: versioned(1, isReplaced(condition) ? 2 : 1) });
    await call('POST', '/points/delete', { filter: {} });
    await call('PUT', '/points', { points: [versioned(1, 1)] });
    await call('POST', '/points/batch', { operations: [{ upsert }] });
    expect([await idsThere(), (await call('GET', '/points/1')).body]).toMatchObject([
      there,
      { result: (first as { result: object }).result },
    ]);
  });

  test('as a batch stores the same', async () => {
    const batch = {
      ids: [1, UUID],
      vectors: [
        [1, 2],
        [3, 4],
      ],
      payloads: [{ a: 1 }, null],
    };
    expect((await call('PUT', '/points', { batch })).body).toEqual(completed);
    expect((await call('POST', '/points', { ids: [1, UUID], with_vector: true })).body).toEqual(
      ok([
        { id: 1, vector: [1, 2], payload: { a: 1 } },
        { id: UUID, vector: [3, 4], payload: {} },
      ]),
    );
  });

  test('grows the operation id by one', async () => {
    const ids = [];
    for (let id = 1; id <= 3; id += 1) {
      const { body } = await call('PUT', '/points', { points: [{ id, vector: [1, 1] }] });
      ids.push((body as { result: { operation_id: number } }).result.operation_id);
    }
    expect(ids).toEqual([ids[0], Number(ids[0]) + 1, Number(ids[0]) + 2]);
  });

  test('takes integers beyond 2^53 as components', async () => {
    expect((await call('PUT', '/points', '{"points":[{"id":1,"vector":[100000000000000000000, 1]}]}')).status).toBe(200);
    expect((await call('GET', '/points/1')).body).toMatchObject({ result: { vector: [100000000000000000000n, 1] } });
  });

  test.each([
    ['{"points":[{"id":1,"vector":[1,2]},{"id":2,"vector":[1,2,3]}]}', 'Dimension mismatch for vector: expected 2, got 3'],
    ['{"points":[{"id":1,"vector":[1,2]},{"id":2,"vector":[]}]}', 'Dimension mismatch for vector: expected 2, got 0'],
    ['{"points":[{"id":1,"vector":[1,2]},{"id":2,"vector":{"x":[1,2]}}]}', 'Not existing vector name error: x'],
    ['{"points":[{"id":1,"vector":[1,2,3]},{"id":1,"vector":[1,2]}]}', 'Dimension mismatch for vector: expected 2, got 3'],
    [
      '{"points":[{"id":1,"vector":[1,1e400]}]}',
      'points[0].vector[1]: expected a number within the range of float32, got a number that is too large',
    ],
    ['{"points":[{"id":1,"vector":[1,4e38]}]}', 'points[0].vector[1]: expected a number within the range of float32, got 4e+38'],
    ['{"points":[{"id":1,"vector":[1,NaN]}]}', /^Format error in JSON body: /],
    ['{"points":[{"id":18446744073709551616,"vector":[1,2]}]}', /^points\[0\]\.id: expected a point id/],
    ['{"points":[{"id":1,"vector":[1,2]},', /^Format error in JSON body: /],
    ['{"point":[]}', "point: unknown member; did you mean 'points'?"],
  ])('%s is refused and writes nothing', async (body, reason) => {
    const reply = await call('PUT', '/points', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(typeof reason === 'string' ? reason : expect.stringMatching(reason)));
    expect(await idsThere()).toEqual([]);
  });

  test.each(['wait=maybe', 'ordering=none', 'timeout=0', 'wat=true'])('with ?%s is refused', async (query) => {
    const reply = await call('PUT', `/points?${query}`, { points: [] });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(expect.stringContaining(query.split('=')[0] ?? '')));
  });

  test('of bytes that are not UTF-8 is refused', async () => {
    expect((await call('PUT', '/points', new Uint8Array([0x22, 0xff, 0x22]))).body).toEqual(
      error('Format error in JSON body: not valid UTF-8'),
    );
  });
});

describe('points', () => {
  beforeEach(async () => {
    await call('PUT', '/points', {
      points: [
        { id: 1, vector: [1, 0], payload: { color: 'red', n: 1, tags: ['a', 'b'] } },
        { id: 2, vector: [0, 1], payload: { color: 'blue', n: 2, tags: ['b'] } },
        { id: 3, vector: [1, 1], payload: { color: 'red', n: 3 } },
        { id: BIG, vector: [2, 2], payload: {} },
      ],
    });
  });

  const payloadOf = async (id: number | bigint) =>
    ((await call('GET', `/points/${id}`)).body as { result: { payload: unknown } }).result.payload;
  const reds = { must: [{ key: 'color', match: { value: 'red' } }] };

  test('are retrieved by ids, without those that are not there', async () => {
    expect((await call('POST', '/points', { ids: [2, 99, BIG], with_payload: ['n'] })).body).toEqual(
      ok([
        { id: 2, payload: { n: 2 } },
        { id: BIG, payload: {} },
      ]),
    );
    expect((await call('POST', '/points', { ids: [1], with_payload: false, with_vectors: true })).body).toEqual(
      ok([{ id: 1, vector: [1, 0] }]),
    );
  });

  test('are got one by one', async () => {
    expect((await call('GET', `/points/${BIG}`)).text).toContain(`"id":${BIG}`);
    const missing = await call('GET', '/points/99');
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual(error('No point with id 99 found'));
    expect((await call('GET', '/points/-1')).status).toBe(400);
  });

  test.each([
    [{ points: [1, 3, 77] }, [2, BIG]],
    [{ filter: reds }, [2, BIG]],
    [{ filter: { must: [{ has_id: [BIG, UUID] }] } }, [1, 2, 3]],
    [{ filter: { must_not: reds.must } }, [1, 3]],
    [{ points: [] }, [1, 2, 3, BIG]],
  ])('are deleted: case %#', async (selector, left) => {
    expect((await call('POST', '/points/delete', selector)).body).toEqual(completed);
    expect(await idsThere()).toEqual(left);
  });

  test.each([
    [{}, 'body: required member `points` (ids) or `filter` is missing'],
    [{ points: ['x'] }, /^points\[0\]: expected a point id/],
    [{ filter: { mst: [] } }, "filter.mst: unknown member; did you mean 'must'?"],
    [[1, 2], 'body: expected an object, got an array'],
  ])('are not deleted by %j', async (body, reason) => {
    const reply = await call('POST', '/points/delete', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(typeof reason === 'string' ? reason : expect.stringMatching(reason)));
    expect(await idsThere()).toEqual([1, 2, 3, BIG]);
  });

  test('have their vectors updated, and only those that exist', async () => {
    expect((await call('PUT', '/points/vectors', { points: [{ id: 1, vector: [7, 8] }] })).body).toEqual(completed);
    expect((await call('GET', '/points/1')).body).toMatchObject({ result: { vector: [7, 8], payload: { n: 1 } } });
    const missing = await call('PUT', '/points/vectors', { points: [{ id: 99, vector: [7, 8] }] });
    expect(missing.status).toBe(404);
    expect(missing.body).toEqual(error('No point with id 99 found'));
    expect((await call('POST', '/points/vectors/delete', { points: [1], vector: [''] })).body).toEqual(completed);
    expect((await call('POST', '/points/vectors/delete', { points: [1], vector: ['nope'] })).status).toBe(400);
  });

  test('have their vectors updated where they match a filter', async () => {
    const update = {
      points: [
        { id: 1, vector: [9, 9] },
        { id: 2, vector: [9, 9] },
      ],
      update_filter: { must: { has_id: [2] } },
    };
    expect((await call('PUT', '/points/vectors', update)).body).toEqual(completed);
    const { body } = await call('POST', '/points', { ids: [1, 2], with_vector: true, with_payload: false });
    expect(body).toMatchObject({
      result: [
        { id: 1, vector: expect.not.arrayContaining([9]) },
        { id: 2, vector: [9, 9] },
      ],
    });
    const missing = { points: [{ id: 77, vector: [9, 9] }], update_filter: { must: { has_id: [2] } } };
    expect(await call('PUT', '/points/vectors', missing)).toMatchObject({ status: 404 });
  });

  test('have their payload set, overwritten, thinned out and cleared', async () => {
    expect((await call('POST', '/points/payload', { payload: { n: null, new: true }, points: [1] })).body).toEqual(completed);
    expect(await payloadOf(1)).toEqual({ color: 'red', tags: ['a', 'b'], new: true });
    expect((await call('POST', '/points/payload', { payload: { deep: 1 }, points: [1], key: 'inner' })).body).toEqual(completed);
    expect(await payloadOf(1)).toMatchObject({ inner: { deep: 1 } });
    expect((await call('PUT', '/points/payload', { payload: { only: 'this' }, filter: reds })).body).toEqual(completed);
    expect([await payloadOf(1), await payloadOf(3)]).toEqual([{ only: 'this' }, { only: 'this' }]);
    expect((await call('POST', '/points/payload/delete', { keys: ['color'], points: [2] })).body).toEqual(completed);
    expect(await payloadOf(2)).toEqual({ n: 2, tags: ['b'] });
    expect((await call('POST', '/points/payload/clear', { points: [2] })).body).toEqual(completed);
    expect(await payloadOf(2)).toEqual({});
  });

  test.each([
    ['/points/payload', { points: [1] }, 'body: required member `payload` is missing'],
    ['/points/payload', { payload: {} }, 'body: required member `points` (ids) or `filter` is missing'],
    ['/points/payload', { payload: [], points: [1] }, 'payload: expected an object, got an empty array'],
    ['/points/payload/delete', { points: [1] }, 'body: required member `keys` is missing'],
    ['/points/payload/delete', { keys: [], points: [1] }, 'keys: expected at least 1 item, got 0'],
    ['/points/payload/clear', {}, 'body: required member `points` (ids) or `filter` is missing'],
  ])('POST %s refuses %j', async (path, body, reason) => {
    const reply = await call('POST', path, body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(reason));
  });

  test('are changed by a batch, step by step', async () => {
    const reply = await call('POST', '/points/batch', {
      operations: [
        { upsert: { points: [{ id: 9, vector: [9, 9] }] } },
        { set_payload: { payload: { a: 1 }, points: [9] } },
        { overwrite_payload: { payload: { b: 2, c: 3 }, points: [9] } },
        { delete_payload: { keys: ['b'], points: [9] } },
        { update_vectors: { points: [{ id: 9, vector: [8, 8] }] } },
        { delete: { points: [1] } },
        { clear_payload: { points: [2] } },
        { delete_vectors: { points: [3], vector: [''] } },
      ],
    });
    expect(reply.body).toEqual(ok(Array.from({ length: 8 }, () => ({ operation_id: expect.any(Number), status: 'Completed' }))));
    expect((await call('GET', '/points/9')).body).toEqual(ok({ id: 9, vector: [8, 8], payload: { c: 3 } }));
    expect(await idsThere()).toEqual([2, 3, 9, BIG]);
  });

  test('are left alone by a batch that is refused, and changed up to the step that fails', async () => {
    const refused = await call('POST', '/points/batch', { operations: [{ delete: { points: [1] } }, { upsert: { points: [{ id: 5 }] } }] });
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual(error('operations[1].upsert.points[0]: required member `vector` is missing'));
    expect(await idsThere()).toEqual([1, 2, 3, BIG]);
    const failed = await call('POST', '/points/batch', {
      operations: [{ delete: { points: [1] } }, { upsert: { points: [{ id: 5, vector: [1] }] } }],
    });
    expect(failed.body).toEqual(error('Dimension mismatch for vector: expected 2, got 1'));
    expect(await idsThere()).toEqual([2, 3, BIG]);
  });

  test('are counted', async () => {
    expect((await call('POST', '/points/count', {})).body).toEqual(ok({ count: 4 }));
    expect((await call('POST', '/points/count')).body).toEqual(ok({ count: 4 }));
    expect((await call('POST', '/points/count', { filter: reds, exact: false })).body).toEqual(ok({ count: 2 }));
    expect((await call('POST', '/points/count', { filter: { must: 7 } })).status).toBe(400);
  });

  test('are none in a box whose top is below its bottom', async () => {
    await call('PUT', '/points', { points: [{ id: 5, vector: [1, 1], payload: { place: { lon: 0, lat: 0 } } }] });
    const inside = (topLat: number, bottomLat: number) => ({
      must: { key: 'place', geo_bounding_box: { top_left: { lon: -1, lat: topLat }, bottom_right: { lon: 1, lat: bottomLat } } },
    });
    for (const indexed of [false, true]) {
      if (indexed) await call('PUT', '/index', { field_name: 'place', field_schema: 'geo' });
      expect((await call('POST', '/points/count', { filter: inside(1, -1) })).body).toEqual(ok({ count: 1 }));
      const inverted = { filter: inside(-1, 1) };
      expect((await call('POST', '/points/count', inverted)).body).toEqual(ok({ count: 0 }));
      expect((await call('POST', '/points/scroll', inverted)).body).toEqual(ok({ points: [], next_page_offset: null }));
      expect((await call('POST', '/points/search', { vector: [1, 1], limit: 3, ...inverted })).body).toEqual(ok([]));
    }
  });

  test('are counted by value', async () => {
    await call('PUT', '/index', { field_name: 'color', field_schema: 'keyword' });
    expect((await call('POST', '/facet', { key: 'color' })).body).toEqual(
      ok({
        hits: [
          { value: 'red', count: 2 },
          { value: 'blue', count: 1 },
        ],
      }),
    );
    expect((await call('POST', '/facet', { key: 'color', limit: 1 })).body).toMatchObject({ result: { hits: [{ value: 'red' }] } });
    expect((await call('POST', '/facet', {})).body).toEqual(error('body: required member `key` is missing'));
  });

  test('are scrolled page by page', async () => {
    const first = await call('POST', '/points/scroll', { limit: 3 });
    expect(first.body).toMatchObject({ result: { points: [{ id: 1, payload: { n: 1 } }, { id: 2 }, { id: 3 }], next_page_offset: BIG } });
    expect(first.body).not.toHaveProperty('result.points.0.vector');
    expect((await call('POST', '/points/scroll', { limit: 3, offset: BIG })).body).toMatchObject({
      result: { points: [{ id: BIG }], next_page_offset: null },
    });
    expect((await call('POST', '/points/scroll', { filter: reds, with_payload: { exclude: ['tags', 'color'] } })).body).toEqual(
      ok({
        points: [
          { id: 1, payload: { n: 1 } },
          { id: 3, payload: { n: 3 } },
        ],
        next_page_offset: null,
      }),
    );
  });

  test('are scrolled in the order of a payload key that has a range index', async () => {
    const unindexed = await call('POST', '/points/scroll', { order_by: 'n' });
    expect(unindexed.status).toBe(400);
    expect(unindexed.body).toEqual(error(expect.stringMatching(/^No range index for `order_by` key: `n`/)));
    await call('PUT', '/index', { field_name: 'n', field_schema: 'integer' });
    const reply = await call('POST', '/points/scroll', { order_by: { key: 'n', direction: 'desc', start_from: 2 }, with_payload: false });
    expect(reply.body).toEqual(
      ok({
        points: [
          { id: 2, order_value: 2 },
          { id: 1, order_value: 1 },
        ],
        next_page_offset: null,
      }),
    );
  });

  test.each([
    [{ limit: 0 }, 'limit: expected an integer from 1 to 1000000, got 0'],
    [{ limit: 10 ** 7 }, 'limit: expected an integer from 1 to 1000000, got 10000000'],
    [{ offset: 'x' }, /^offset: expected a point id/],
    [{ offset: 1, order_by: 'n' }, /^offset: cannot be combined with order_by/],
    [{ with_payload: 'all' }, /^with_payload: expected /],
    [{ with_vector: 1 }, /^with_vector: expected /],
  ])('are not scrolled by %j', async (body, reason) => {
    const reply = await call('POST', '/points/scroll', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(typeof reason === 'string' ? reason : expect.stringMatching(reason)));
  });
});
