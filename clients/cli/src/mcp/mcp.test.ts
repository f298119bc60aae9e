// SPDX-License-Identifier: Apache-2.0
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ObservabilityClient, VectorClient } from '@sextant/sdk';
import { expect, test } from 'vitest';
import { ANSWER_BYTES_MAX, fitted, idOf, plainJson } from './bounded.ts';
import { serveMcpOverHttp } from './http.ts';
import { createMcpServer, toolsFor } from './server.ts';

/** Nobody listens on port 1: what is asked of a service fails, and nothing else is asked here. */
const services = {
  vector: new VectorClient({ url: 'http://127.0.0.1:1', retry: { retries: 0 } }),
  observability: new ObservabilityClient({ url: 'http://127.0.0.1:1', retry: { retries: 0 } }),
};
const options = { services, readOnly: false, signal: new AbortController().signal };

async function connected() {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([createMcpServer(options).connect(ours), client.connect(theirs)]);
  return client;
}

test('tools that write say so and take dry_run', async () => {
  const { tools } = await (await connected()).listTools();
  for (const { name, annotations, inputSchema } of tools) {
    const takesDryRun = Object.hasOwn(inputSchema.properties ?? {}, 'dry_run');
    expect.soft([name, annotations?.readOnlyHint]).toEqual([name, !takesDryRun]);
  }
  expect(toolsFor({ readOnly: true }).every(({ kind }) => kind === 'read')).toBe(true);
});

test.each([
  ['search', { collection: 'c' }, 'a search needs one of `vector`, `text` and `id`'],
  ['search', { collection: 'c', id: 1, limit: 101 }, 'limit: expected an integer from 1 to 100'],
  ['search', { collection: 'c', id: -1 }, 'id: expected'],
  ['search', { collection: 'c', id: 1, colour: 'red' }, 'colour: unknown member'],
  ['search', {}, 'collection'],
  ['upsert', { collection: 'c', points: [] }, 'points: expected'],
  ['collection_info', { collection: 'c' }, 'could not be reached'],
  ['nosuch', {}, 'unknown tool nosuch'],
])('%s of %j is an error that says why', async (name, args, sentence) => {
  const { isError, content } = await (await connected()).callTool({ name, arguments: args });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain(sentence);
});

test('an answer holds as many items as fit, and large integers as text', () => {
  const items = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(5000) }));
  const { items: kept, leftOut } = fitted(items);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.length + leftOut).toBe(100);
  expect(JSON.stringify(kept).length).toBeLessThan(ANSWER_BYTES_MAX);
  expect(fitted([1, 2, 3])).toEqual({ items: [1, 2, 3], leftOut: 0 });
  expect(plainJson({ a: [2n ** 64n - 1n, 1], b: null })).toEqual({ a: ['18446744073709551615', 1], b: null });
  expect([idOf(5), idOf('5'), idOf('18446744073709551615'), idOf('550e8400-e29b-41d4-a716-446655440000')]).toEqual([
    5,
    5,
    2n ** 64n - 1n,
    '550e8400-e29b-41d4-a716-446655440000',
  ]);
});

test('over HTTP nothing is read of who has no token, comes from a foreign page, or sends too much', async () => {
  const server = await serveMcpOverHttp({ ...options, host: '127.0.0.1', port: 0, token: 'secret', origins: ['https://ours.example'] });
  const post = async (headers: { readonly [name: string]: string }, body = '{}') =>
    (await fetch(server.address, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })).status;
  const authorization = 'Bearer secret';
  try {
    expect(await post({})).toBe(401);
    expect(await post({ authorization: 'secret' })).toBe(401);
    expect(await post({ authorization, origin: 'http://localhost:6590' })).toBe(403);
    expect(await post({ authorization, origin: 'null' })).toBe(403);
    expect(await post({ authorization, accept: 'application/json, text/event-stream' }, `"${'x'.repeat(5_000_000)}"`)).toBe(413);
    expect(await post({ authorization, accept: 'application/json, text/event-stream' }, 'no json')).toBe(400);
    expect((await fetch(new URL('/', server.address), { method: 'POST', headers: { authorization } })).status).toBe(404);
    expect((await fetch(server.address, { headers: { authorization } })).status).toBe(405);
  } finally {
    await server.close();
  }
});
