// SPDX-License-Identifier: Apache-2.0
/** A batch that several threads answer says what its searches say one by one. */
import { seededRandom } from '@sextant/foundation-std';
import type { ChildServer } from '@sextant/foundation-testing';
import { beforeAll, expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';
import { vectorApi } from '../vector-api.ts';
import { TWO_THREADS } from '../vector-server.ts';

const POINTS = 1000;
const DIMENSION = 96;
const SEARCHES = 120;
const FIRST_TO_FAIL = 80;
/** Threads that have just started take so long for a search that the first batch is handed over one by one. */
const ROUNDS = 4;

const random = seededRandom(11);
const vector = () => Array.from({ length: DIMENSION }, () => Math.fround(random.next() - 0.5));
let server: ChildServer;

beforeAll(async () => {
  server = await sharedVectorServer(TWO_THREADS);
  const cats = vectorApi(server.client).collection('cats');
  await cats.create({ vectors: { size: DIMENSION, distance: 'Cosine' } });
  await cats.upsert(Array.from({ length: POINTS }, (_, id) => ({ id, vector: vector(), payload: { part: id % 7 } })));
});

async function resultOf(path: string, body: unknown): Promise<unknown> {
  const { status, body: reply } = await server.client.request('POST', `/collections/cats/points/${path}`, body);
  expect(status, JSON.stringify(reply)).toBe(200);
  return (reply as { readonly result: unknown }).result;
}

const searches = Array.from({ length: SEARCHES }, (_, index) => ({
  limit: 1 + (index % 9),
  params: { exact: true },
  with_payload: index % 2 === 0,
  ...(index % 3 === 0 ? { filter: { must: [{ key: 'part', match: { value: index % 7 } }] } } : {}),
}));

test('searches', async () => {
  const batch = searches.map((search) => ({ ...search, vector: vector() }));
  const alone = [];
  for (const search of batch) alone.push(await resultOf('search', search));
  for (let round = 0; round < ROUNDS; round++) expect(await resultOf('search/batch', { searches: batch })).toEqual(alone);
});

test('queries of each kind', async () => {
  const kinds = [vector(), 17, { nearest: vector() }, { order_by: 'part' }, null];
  await server.client.request('PUT', '/collections/cats/index', { field_name: 'part', field_schema: 'integer' });
  const batch = searches.map((search, index) => ({ ...search, query: kinds[index % kinds.length] ?? null }));
  const together = await resultOf('query/batch', { searches: batch });
  const alone = [];
  for (const query of batch) alone.push(await resultOf('query', query));
  expect(together).toEqual(alone);
});

test('the first of the searches that fail is the one that is named', async () => {
  const batch = searches.map((search, index) => ({ ...search, query: index >= FIRST_TO_FAIL ? POINTS + index : index }));
  const { status, body } = await server.client.request('POST', '/collections/cats/points/query/batch', { searches: batch });
  expect(status).toBe(404);
  expect(JSON.stringify(body)).toContain(String(POINTS + FIRST_TO_FAIL));
});
