// SPDX-License-Identifier: Apache-2.0
/** A data directory of the vector service with one of each kind of thing that is stored, and what it answers. */
import type { ChildServer, JsonClient } from '@sextant/foundation-testing';

export const VECTOR_PASSWORD = 'Correct-Horse-42';

const POINTS = 40;
const WIDTH = 4;
const CAPABILITIES = { SERVICE_CAPABILITIES: 'aliases,snapshots', SERVICE_THREADS: '1' };

export const seededEnvironment = CAPABILITIES;

/** A vector that is another for each point, without chance. */
function vectorOf(seed: number, width = WIDTH): number[] {
  return Array.from({ length: width }, (_, index) => Math.fround(Math.sin(seed * 7 + index * 3)));
}

const payloadOf = (id: number) => ({
  city: ['Basel', 'Bern', 'Genève'][id % 3],
  count: id,
  price: id / 3,
  large: 9_007_199_254_740_993n + BigInt(id),
  nested: { tags: [`tag-${id % 5}`, null, true], at: `2026-01-${String((id % 28) + 1).padStart(2, '0')}T00:00:00Z` },
  place: { lon: 7 + id / 100, lat: 46 + id / 100 },
  text: `the ${id} quick foxes are running`,
});

/** Collections of one unnamed vector; of named, sparse and several vectors; of bytes, quantized; one without vectors. */
export async function seedVectors({ client }: Pick<ChildServer, 'client'>): Promise<void> {
  const put = sender(client, 'PUT');
  const post = sender(client, 'POST');
  await put('/collections/plain', { vectors: { size: WIDTH, distance: 'Cosine' }, metadata: { owner: 'search' } });
  await put('/collections/named', {
    vectors: {
      text: { size: WIDTH, distance: 'Dot' },
      late: { size: 2, distance: 'Cosine', multivector_config: { comparator: 'max_sim' } },
      bytes: { size: WIDTH, distance: 'Euclid', datatype: 'uint8' },
    },
    sparse_vectors: { words: { modifier: 'idf' } },
  });
  await put('/collections/coded', {
    vectors: { size: 8, distance: 'Manhattan' },
    quantization_config: { scalar: { type: 'int8', always_ram: true } },
    hnsw_config: { m: 8 },
  });
  await put('/collections/empty', { vectors: {} });
  const ids = Array.from({ length: POINTS }, (_, index) => index + 1);
  await put('/collections/plain/points', { points: ids.map((id) => ({ id, vector: vectorOf(id), payload: payloadOf(id) })) });
  await put('/collections/plain/points', {
    points: [
      { id: '5f0c6f1e-6e0b-4a4e-9a43-0c9a3a0c3a11', vector: vectorOf(99), payload: { city: 'Zug' } },
      { id: 18_446_744_073_709_551_615n, vector: vectorOf(98) },
    ],
  });
  await put('/collections/named/points', {
    points: ids.map((id) => ({
      id,
      vector: {
        text: vectorOf(id),
        late: [vectorOf(id, 2), vectorOf(id + 1, 2)],
        bytes: [id, 2 * id, 3 * id, 255 - id],
        words: { indices: [id, 1000 + (id % 3)], values: [1, 0.5] },
      },
      payload: { id },
    })),
  });
  await put('/collections/coded/points', { points: ids.map((id) => ({ id, vector: vectorOf(id, 8) })) });
  for (const [field, schema] of Object.entries({
    city: 'keyword',
    count: 'integer',
    price: 'float',
    'nested.at': 'datetime',
    place: 'geo',
    text: { type: 'text', stemmer: { type: 'snowball', language: 'english' } },
  })) {
    await put('/collections/plain/index', { field_name: field, field_schema: schema });
  }
  await post('/collections/plain/points/delete', { points: [3, 4] });
  await post('/collections/plain/points/payload', { payload: { city: 'Chur' }, points: [5] });
  await put('/collections/plain/points/vectors', { points: [{ id: 6, vector: vectorOf(600) }] });
  await post('/collections/aliases', { actions: [{ create_alias: { collection_name: 'plain', alias_name: 'current' } }] });
  await post('/collections/named/snapshots', undefined);
  await post('/auth/admin', { password: VECTOR_PASSWORD });
}

/** What a client can see of it all, as JSON that can be compared. */
export async function answersOf({ client }: Pick<ChildServer, 'client'>): Promise<{ readonly [question: string]: unknown }> {
  const post = sender(client, 'POST');
  const answers: { [question: string]: unknown } = {};
  for (const name of ['plain', 'named', 'coded', 'empty']) {
    const { points_count, config, payload_schema } = (await sender(client, 'GET')(`/collections/${name}`, undefined)) as {
      readonly [member: string]: unknown;
    };
    answers[`${name}: description`] = { points_count, config, payload_schema };
    answers[`${name}: points`] = await post(`/collections/${name}/points/scroll`, { limit: 1000, with_payload: true, with_vector: true });
  }
  const search = (collection: string, body: object) =>
    post(`/collections/${collection}/points/query`, { limit: 5, with_payload: true, ...body });
  answers['plain: nearest'] = await search('plain', { query: vectorOf(12) });
  answers['plain: by city'] = await search('plain', { query: vectorOf(12), filter: { must: [{ key: 'city', match: { value: 'Chur' } }] } });
  answers['plain: by price'] = await search('plain', {
    query: vectorOf(12),
    filter: { must: [{ key: 'price', range: { gt: 5, lt: 7 } }] },
  });
  answers['plain: by word'] = await search('plain', {
    query: vectorOf(12),
    filter: { must: [{ key: 'text', match: { text: 'fox run' } }] },
  });
  answers['current: nearest'] = await search('current', { query: vectorOf(13) });
  answers['named: text'] = await search('named', { query: vectorOf(12), using: 'text' });
  answers['named: late'] = await search('named', { query: [vectorOf(12, 2)], using: 'late' });
  answers['named: bytes'] = await search('named', { query: [12, 24, 36, 243], using: 'bytes' });
  answers['named: words'] = await search('named', { query: { indices: [7, 1001], values: [1, 1] }, using: 'words' });
  answers['coded: nearest'] = await search('coded', { query: vectorOf(12, 8) });
  answers.snapshots = ((await sender(client, 'GET')('/collections/named/snapshots', undefined)) as readonly unknown[]).length;
  const login = await client.request('POST', '/auth/admin/login', { password: VECTOR_PASSWORD });
  answers.login = login.status;
  return answers;
}

function sender(client: JsonClient, method: string) {
  return async (path: string, body: unknown): Promise<unknown> => {
    const reply = await client.request(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return (reply.body as { readonly result?: unknown }).result;
  };
}
