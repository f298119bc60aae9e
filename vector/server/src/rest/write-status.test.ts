// SPDX-License-Identifier: Apache-2.0
import type { Endpoint } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import { stringifyJson } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import type { WriteStatusCase } from '../configuration.ts';
import { type TestServer, testServer } from '../testing/test-server.ts';

const PYTHON = { 'user-agent': 'python-client/1.20.0 python/3.11.2' };
const point = { id: 1, vector: { '': [1, 2], other: [3] } };
const chosen = { points: [1] };

/** A request to every endpoint that answers the status of a write, each of which can come after those before it. */
const REQUESTS: { readonly [endpoint: string]: readonly [query: string, body?: unknown, params?: { readonly [name: string]: string }] } = {
  upsert_points: ['?wait=true', { points: [point] }],
  update_vectors: ['', { points: [point] }],
  set_payload: ['', { ...chosen, payload: { a: 1 } }],
  overwrite_payload: ['', { ...chosen, payload: { a: 2 } }],
  delete_payload: ['', { ...chosen, keys: ['a'] }],
  clear_payload: ['', chosen],
  batch_update: ['', { operations: [{ set_payload: { ...chosen, payload: { b: 1 } } }, { clear_payload: chosen }] }],
  create_field_index: ['', { field_name: 'a', field_schema: 'keyword' }],
  delete_field_index: ['', undefined, { field_name: 'a' }],
  create_vector: ['', { dense: { size: 3, distance: 'Dot' } }, { vector_name: 'later' }],
  delete_vector: ['', undefined, { vector_name: 'later' }],
  delete_vectors: ['', { ...chosen, vector: ['other'] }],
  delete_points: ['', chosen],
  flush_collection: [''],
};

async function statuses(writeStatusCase: WriteStatusCase, headers: { readonly [name: string]: string }) {
  await using server = await testServer({ capabilities: ['maintenance'], writeStatusCase });
  await createCollection(server);
  const found: { [endpoint: string]: unknown } = {};
  for (const [id, [query, body, params = {}]] of Object.entries(REQUESTS)) {
    const { method, path }: Endpoint = endpoints[id as keyof typeof endpoints];
    const url = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'c');
    const { body: reply } = await server.call(method, url + query, body, headers);
    const { result } = reply as { readonly result: unknown };
    found[id] = Array.isArray(result) ? result.map(statusOf) : statusOf(result);
  }
  return found;
}

const statusOf = (result: unknown) => (result as { readonly status?: string } | undefined)?.status;

function createCollection(server: TestServer) {
  const vectors = { '': { size: 2, distance: 'Dot' }, other: { size: 1, distance: 'Dot' } };
  return server.call('PUT', '/collections/c', { vectors });
}

function allAre(word: string) {
  return Object.fromEntries(Object.keys(REQUESTS).map((id) => [id, id === 'batch_update' ? [word, word] : word]));
}

describe('the status of a write', () => {
  test('is answered by the endpoints that are asked here, and by no other', () => {
    const answering = Object.entries<Endpoint>(endpoints).filter(([, { result }]) => stringifyJson(result).includes('"UpdateResult"'));
    expect(answering.map(([id]) => id).toSorted()).toEqual(Object.keys(REQUESTS).toSorted());
  });

  test.each<[string, WriteStatusCase, { readonly [name: string]: string }, string]>([
    ['as the specification has it', 'auto', {}, 'Completed'],
    ['in lower case for the published Python client', 'auto', PYTHON, 'completed'],
    ['as the specification has it for a client of a name that is alike', 'auto', { 'user-agent': 'my-python-client/1.0' }, 'Completed'],
    ['as the specification has it for everybody, where the operator chose that', 'capitalized', PYTHON, 'Completed'],
    ['in lower case for everybody, where the operator chose that', 'lowercase', {}, 'completed'],
  ])('is spelled %s', async (_, writeStatusCase, headers, word) => {
    expect(await statuses(writeStatusCase, headers)).toEqual(allAre(word));
  });
});
