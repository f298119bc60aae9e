// SPDX-License-Identifier: Apache-2.0
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterEach(() => server.reset());
afterAll(() => server[Symbol.asyncDispose]());

const vectors = { size: 2, distance: 'Dot' };
const ok = (result: unknown) => ({ usage: { hardware: null }, time: expect.any(Number), status: 'ok', result });
const error = (text: unknown) => ({ time: expect.any(Number), status: { error: text } });

describe('creating a collection', () => {
  test.each([
    [{ vectors }],
    [{ vectors: { image: vectors, text: { size: 65536, distance: 'Manhattan' } } }],
    [{ vectors, hnsw_config: { m: 8, ef_construct: 64 }, optimizers_config: { indexing_threshold: 100 }, on_disk_payload: true }],
    [{ vectors, quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } }, metadata: { owner: 'me' } }],
    [{ vectors, quantization_config: { binary: { encoding: 'one_bit', query_encoding: 'scalar8bits', always_ram: false } } }],
    [{ vectors: { a: { ...vectors, quantization_config: { product: { compression: 'x32', always_ram: true } } } } }],
    [{ vectors, wal_config: { wal_capacity_mb: 32 }, shard_number: 1, replication_factor: 1, strict_mode_config: { enabled: false } }],
  ])('%j answers true', async (body) => {
    const reply = await server.call('PUT', '/collections/things', body);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual(ok(true));
  });

  test.each([
    [{}, 'vectors_config is required'],
    [{ vectors: null }, 'vectors_config is required'],
    [{ sparse_vectors: {} }, 'vectors_config is required'],
    [{ vectors: null, sparse_vectors: null }, 'vectors_config is required'],
    [{ vectors: { size: 2 } }, 'vectors: required member `distance` is missing'],
    [{ vectors: { size: 2.5, distance: 'Dot' } }, 'vectors.size: expected an integer from 1 to 65536, got 2.5'],
    [{ vectors: { words: vectors }, sparse_vectors: { words: {} } }, /^sparse_vectors: "words" is also the name of a dense vector/],
    [{ vectors, sparse_vectors: { words: { on_disk: true } } }, /^sparse_vectors\.words\.on_disk: unknown member/],
    [{ vectors, hnsw: {} }, /^hnsw: unknown member/],
    [{ vectors, quantization_config: { product: { compression: 'x5' } } }, /^quantization_config\.product\.compression: expected "x4"/],
    [[], 'body: expected an object, got an empty array'],
  ])('%j is refused', async (body, reason) => {
    const reply = await server.call('PUT', '/collections/things', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(typeof reason === 'string' ? reason : expect.stringMatching(reason)));
    expect((await server.call('GET', '/collections')).body).toEqual(ok({ collections: [] }));
  });

  test('keeps and returns where things are to be in memory, and nothing of it that no request gave', async () => {
    const reply = await server.call('PUT', '/collections/things', {
      vectors: {
        ...vectors,
        memory: 'cold',
        hnsw_config: { memory: 'cold' },
        quantization_config: { scalar: { type: 'int8', memory: 'pinned' } },
      },
      sparse_vectors: { words: { index: { memory: 'cold' } } },
      payload: { memory: 'cached' },
      id_tracker: { memory: 'cold' },
    });
    expect(reply.status).toBe(200);
    await server.call('PUT', '/collections/things/index', { field_name: 'k', field_schema: { type: 'keyword', memory: 'cold' } });
    const changed = { vectors: { '': { memory: 'cached' } }, params: { payload: { memory: 'cold' }, id_tracker: { memory: 'pinned' } } };
    const paramsOf = async () => (await server.call('GET', '/collections/things')).body;
    expect(await paramsOf()).toMatchObject({
      result: {
        config: {
          params: {
            vectors: { memory: 'cold', hnsw_config: { memory: 'cold' }, quantization_config: { scalar: { memory: 'pinned' } } },
            sparse_vectors: { words: { index: { memory: 'cold' } } },
            payload: { memory: 'cached' },
            id_tracker: { memory: 'cold' },
          },
        },
        payload_schema: { k: { data_type: 'keyword', params: { type: 'keyword', memory: 'cold' } } },
      },
    });
    expect((await server.call('PATCH', '/collections/things', changed)).status).toBe(200);
    expect(await paramsOf()).toMatchObject({
      result: { config: { params: { vectors: { memory: 'cached' }, payload: { memory: 'cold' }, id_tracker: { memory: 'pinned' } } } },
    });

    await server.call('PUT', '/collections/others', { vectors: { ...vectors, on_disk: true } });
    const others = (await server.call('GET', '/collections/others')).body as { result: { config: { params: { vectors: object } } } };
    expect(Object.keys(others.result.config.params)).not.toEqual(expect.arrayContaining(['payload']));
    expect(Object.keys(others.result.config.params.vectors)).toEqual(['size', 'distance', 'on_disk']);
  });

  test.each([
    [{ vectors: { ...vectors, memory: 'pinned' } }, 'vectors.memory'],
    [{ vectors, payload: { memory: 'pinned' } }, 'payload.memory'],
  ])('%j is refused: storage is not pinned', async (body, place) => {
    const reply = await server.call('PUT', '/collections/things', body);
    expect(reply).toMatchObject({ status: 400 });
    expect(reply.body).toEqual(
      error(`${place}: expected 'cold' or 'cached' (vectors and payloads cannot be pinned), got the string "pinned"`),
    );
  });

  test('without a body says what is required', async () => {
    const reply = await server.call('PUT', '/collections/things');
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error('vectors_config is required'));
  });

  test('that exists is a conflict', async () => {
    await server.call('PUT', '/collections/things', { vectors });
    const reply = await server.call('PUT', '/collections/things', { vectors });
    expect(reply.status).toBe(409);
    expect(reply.body).toEqual(error('Collection already exists: things'));
  });

  test.each(['a', 'ünïcödé 名前', 'x'.repeat(255), 'aliases', 'a.b-c_d', '%41', '...'])('may call it %j', async (name) => {
    const path = `/collections/${encodeURIComponent(name)}`;
    expect((await server.call('PUT', path, { vectors })).status).toBe(200);
    expect((await server.call('GET', '/collections')).body).toEqual(ok({ collections: [{ name }] }));
    expect((await server.call('GET', path)).status).toBe(200);
  });

  test.each(['x'.repeat(256), 'a/b', 'a\\b', 'line\nbreak', '\u0000', '\u007f'])('may not call it %j', async (name) => {
    const reply = await server.call('PUT', `/collections/${encodeURIComponent(name)}`, { vectors });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(expect.stringMatching(/^collection_name: expected a collection name of 1 to 255 characters/)));
  });

  test('takes timeout, and refuses one that is no number of seconds', async () => {
    expect((await server.call('PUT', '/collections/a?timeout=10', { vectors })).status).toBe(200);
    const reply = await server.call('PUT', '/collections/b?timeout=soon', { vectors });
    expect(reply.body).toEqual(error('timeout: expected a whole number of seconds of at least 1, got the string "soon"'));
  });
});

test('a collection needs a name', async () => {
  expect((await server.call('GET', '/collections//points/1')).body).toEqual(
    error(expect.stringMatching(/^collection_name: expected .*, got the string ""$/)),
  );
});

describe('a collection', () => {
  beforeEach(async () => {
    await server.call('PUT', '/collections/things', { vectors, metadata: { a: 1 } });
  });

  test('is listed, described and said to exist', async () => {
    expect((await server.call('GET', '/collections/')).body).toEqual(ok({ collections: [{ name: 'things' }] }));
    expect((await server.call('GET', '/collections/things')).body).toEqual(
      ok(expect.objectContaining({ status: 'green', optimizer_status: 'ok', points_count: 0, payload_schema: {} })),
    );
    expect((await server.call('GET', '/collections/things/exists')).body).toEqual(ok({ exists: true }));
    expect((await server.call('GET', '/collections/others/exists')).body).toEqual(ok({ exists: false }));
  });

  test('can be updated', async () => {
    const reply = await server.call('PATCH', '/collections/things', { metadata: { b: 2 }, optimizers_config: { indexing_threshold: 5 } });
    expect(reply.body).toEqual(ok(true));
    expect((await server.call('GET', '/collections/things')).body).toMatchObject({ result: { config: { metadata: { a: 1, b: 2 } } } });
  });

  test.each([
    [{ scalar: { type: 'int8', quantile: 0.99, always_ram: true } }],
    [{ binary: { always_ram: true } }],
    [{ product: { compression: 'x16', always_ram: false } }],
  ])('takes and removes the quantization %j, for all vectors and for one', async (quantization_config) => {
    const ofVector = { '': { quantization_config } };
    for (const change of [{ quantization_config }, { vectors: ofVector }]) {
      expect((await server.call('PATCH', '/collections/things', change)).body).toEqual(ok(true));
    }
    const configured = { quantization_config, params: { vectors: { ...vectors, quantization_config } } };
    expect((await server.call('GET', '/collections/things')).body).toMatchObject({ result: { config: configured } });
    await server.call('PUT', '/collections/things/points', { points: [{ id: 1, vector: [1, 2] }] });
    const params = { quantization: { rescore: true, oversampling: 2.5 } };
    expect((await server.call('POST', '/collections/things/points/search', { vector: [1, 1], limit: 1, params })).body).toMatchObject({
      result: [{ id: 1, score: 3 }],
    });
    const off = { quantization_config: 'Disabled', vectors: { '': { quantization_config: 'Disabled' } } };
    expect((await server.call('PATCH', '/collections/things', off)).body).toEqual(ok(true));
    const { body } = await server.call('GET', '/collections/things');
    expect(body).toMatchObject({ result: { config: { quantization_config: null } } });
    expect(body).not.toHaveProperty('result.config.params.vectors.quantization_config');
  });

  test('that is deleted is gone, and deleting it again answers false', async () => {
    expect((await server.call('DELETE', '/collections/things')).body).toEqual(ok(true));
    expect((await server.call('DELETE', '/collections/things')).body).toEqual(ok(false));
    expect((await server.call('GET', '/collections/things/exists')).body).toEqual(ok({ exists: false }));
  });

  test.each([
    ['GET', '', undefined],
    ['PATCH', '', {}],
    ['PUT', '/points', { points: [] }],
    ['POST', '/points', { ids: [1] }],
    ['GET', '/points/1', undefined],
    ['POST', '/points/delete', { points: [1] }],
    ['PUT', '/points/vectors', { points: [] }],
    ['POST', '/points/vectors/delete', { points: [1], vector: [''] }],
    ['POST', '/points/payload', { payload: {}, points: [1] }],
    ['PUT', '/points/payload', { payload: {}, points: [1] }],
    ['POST', '/points/payload/delete', { keys: ['a'], points: [1] }],
    ['POST', '/points/payload/clear', { points: [1] }],
    ['POST', '/points/batch', { operations: [{ delete: { points: [1] } }] }],
    ['PUT', '/index', { field_name: 'a', field_schema: 'keyword' }],
    ['DELETE', '/index/a', undefined],
    ['POST', '/points/count', {}],
    ['POST', '/facet', { key: 'a' }],
    ['POST', '/points/scroll', {}],
    ['POST', '/points/search', { vector: [1, 2], limit: 1 }],
    ['POST', '/points/search/batch', { searches: [{ vector: [1, 2], limit: 1 }] }],
    ['POST', '/points/query', { query: [1, 2] }],
    ['POST', '/points/query/batch', { searches: [{ query: [1, 2] }] }],
  ])('that is not there is not found by %s %s', async (method, path, body) => {
    const reply = await server.call(method, `/collections/nowhere${path}`, body);
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual(error('Collection not found: nowhere'));
  });

  test('takes a vector, shows it and removes it', async () => {
    const path = '/collections/things/vectors/words%20of%20text';
    const updated = ok({ operation_id: expect.any(Number), status: 'Completed' });
    const dense = { size: 3, distance: 'Cosine', datatype: 'float16', hnsw_config: { m: 8 }, on_disk: true };
    expect((await server.call('PUT', `${path}?wait=true`, { dense })).body).toEqual(updated);
    expect((await server.call('PUT', path, { dense })).body).toEqual(updated);
    const shown = (await server.call('GET', '/collections/things')).body;
    expect(shown).toMatchObject({ result: { config: { params: { vectors: { '': vectors, 'words of text': dense } } } } });
    const other = await server.call('PUT', path, { dense: { ...dense, size: 4 } });
    expect([other.status, other.body]).toEqual([400, error('Vector `words of text` already exists with a different configuration')]);
    expect((await server.call('DELETE', `${path}?ordering=strong`)).body).toEqual(updated);
    const gone = await server.call('DELETE', path);
    expect([gone.status, gone.body]).toEqual([400, error('Not existing vector name error: words of text')]);
    expect((await server.call('GET', '/collections/things')).body).toMatchObject({ result: { config: { params: { vectors } } } });
  });

  test.each([
    [{}, /^body: /],
    [{ sparse: { modifier: 'bm25' } }, /^sparse\.modifier: expected/],
    [{ dense: { size: 0, distance: 'Dot' } }, 'dense.size: expected an integer from 1 to 65536, got 0'],
    [{ dense: { size: 2 } }, 'dense: required member `distance` is missing'],
  ])('refuses the vector %j', async (body, reason) => {
    const reply = await server.call('PUT', '/collections/things/vectors/two', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(typeof reason === 'string' ? reason : expect.stringMatching(reason)));
  });

  test('takes a sparse vector, whose datatype is shown where a collection has it', async () => {
    await server.call('PUT', '/collections/things/vectors/words', { sparse: { modifier: 'idf', datatype: 'float16' } });
    expect((await server.call('GET', '/collections/things')).body).toMatchObject({
      result: { config: { params: { vectors, sparse_vectors: { words: { modifier: 'idf', index: { datatype: 'float16' } } } } } },
    });
    await server.call('DELETE', '/collections/things/vectors/words');
    expect((await server.call('GET', '/collections/things')).body).not.toHaveProperty('result.config.params.sparse_vectors');
  });

  test('takes a field index in both forms, lists it and removes it', async () => {
    const updated = ok({ operation_id: expect.any(Number), status: 'Completed' });
    expect((await server.call('PUT', '/collections/things/index', { field_name: 'color', field_schema: 'keyword' })).body).toEqual(updated);
    const text = { type: 'text', tokenizer: 'word', lowercase: true, stopwords: { custom: ['the'] } };
    expect((await server.call('PUT', '/collections/things/index?wait=true', { field_name: 'a.b', field_schema: text })).body).toEqual(
      updated,
    );
    // Whole, so that an index that was created by its type alone has no `params`.
    const { result } = (await server.call('GET', '/collections/things')).body as { result: { payload_schema: unknown } };
    expect(result.payload_schema).toEqual({
      color: { data_type: 'keyword', points: 0 },
      'a.b': { data_type: 'text', params: text, points: 0 },
    });
    expect((await server.call('DELETE', '/collections/things/index/a.b')).body).toEqual(updated);
    expect((await server.call('GET', '/collections/things')).body).not.toHaveProperty('result.payload_schema.a.b');
  });

  test.each([
    [{ field_name: 'a' }, 'body: required member `field_schema` is missing'],
    [{ field_schema: 'keyword' }, 'body: required member `field_name` is missing'],
    [{ field_name: 'a', field_schema: 'string' }, /^field_schema: expected "keyword", "integer"/],
    [{ field_name: 'a', field_schema: { type: 'bool', lookup: true } }, /^field_schema\.lookup: unknown member/],
  ])('refuses the field index %j', async (body, reason) => {
    const reply = await server.call('PUT', '/collections/things/index', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(error(typeof reason === 'string' ? reason : expect.stringMatching(reason)));
  });
});
