// SPDX-License-Identifier: Apache-2.0
/** More collections than may be open: they are opened for the requests that need them and closed for each other, and nobody but the operator notices. */
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inLanes } from '../lanes.ts';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';

const COLLECTIONS = 8;
const OPEN_MAX = 3;
const LANES = 6;
const environment = { SERVICE_COLLECTIONS_OPEN_MAX: String(OPEN_MAX), SERVICE_CAPABILITIES: 'status' };

const nameOf = (index: number) => `c${index}`;
const names = Array.from({ length: COLLECTIONS }, (_, index) => nameOf(index));
/** Of a write, the first of which begins with the id 0. */
const POINTS = 20;
const pointsOf = (index: number, first: number) =>
  Array.from({ length: POINTS }, (_, id) => ({ id: first + id, vector: [first + id, index], payload: { collection: index } }));

async function ask({ client }: ChildServer, method: string, path: string, body?: unknown) {
  const reply = await client.request(method, path, body);
  // What a client gets of this service always has this form.
  return {
    status: reply.status,
    result: (reply.body as { readonly result?: unknown } | undefined)?.result,
    text: JSON.stringify(reply.body),
  };
}

async function figure(server: ChildServer, name: string): Promise<number> {
  const { body } = await server.client.request('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(String(body))?.[1]);
}

async function create(server: ChildServer): Promise<void> {
  await inLanes(COLLECTIONS, LANES, async (index) => {
    const created = await ask(server, 'PUT', `/collections/${nameOf(index)}`, { vectors: { size: 2, distance: 'Euclid' } });
    expect(created).toMatchObject({ status: 200 });
  });
}

async function write(server: ChildServer, first = 0): Promise<void> {
  await inLanes(COLLECTIONS, LANES, async (index) => {
    expect(await ask(server, 'PUT', `/collections/${nameOf(index)}/points`, { points: pointsOf(index, first) })).toMatchObject({
      status: 200,
    });
  });
}

/** Searches all collections at once, each of them again and again. */
async function search(server: ChildServer, requests: number): Promise<void> {
  await inLanes(requests, LANES, async (request) => {
    const index = (request * 7) % COLLECTIONS;
    const found = await ask(server, 'POST', `/collections/${nameOf(index)}/points/search`, {
      vector: [3, index],
      limit: 1,
      with_payload: true,
    });
    expect(found).toMatchObject({ status: 200, result: [{ id: 3, score: 0, payload: { collection: index } }] });
  });
}

const openFiles = (server: ChildServer) => readdirSync(`/proc/${server.pid}/fd`).length;

describe.skipIf(process.platform !== 'linux')('more collections than may be open', () => {
  /** Of all tests: each goes on with what the one before has left. */
  let directory: TemporaryDirectory;
  const start = (threads = {}) => startVectorServer({ directory: directory.path, environment: { ...environment, ...threads } });

  beforeAll(async () => {
    directory = await temporaryDirectory();
  });
  afterAll(() => directory[Symbol.asyncDispose]());

  test('are all read and written, by many at once, and take the files of few', async () => {
    await using server = await start(TWO_THREADS);
    await create(server);
    await write(server);
    expect(await figure(server, 'collections_open_max')).toBe(OPEN_MAX);
    await search(server, 2 * COLLECTIONS);
    const files = openFiles(server);
    // Each search opens a collection that the few before it have closed, so that what an opening leaves behind shows.
    await search(server, 2 * COLLECTIONS);
    expect(openFiles(server)).toBeLessThanOrEqual(files + 3 * OPEN_MAX);
    expect(await figure(server, 'collections_open')).toBeLessThanOrEqual(OPEN_MAX);
    expect(await figure(server, 'collections_released_total')).toBeGreaterThan(COLLECTIONS);
    expect(await figure(server, 'collections_opening_failed_total')).toBe(0);
    await server.stop();
  });

  test('are listed and described without being opened, and are opened at first use after a start', async () => {
    await using server = await start();
    expect(await figure(server, 'collections_not_opened')).toBe(COLLECTIONS);
    expect((await server.client.request('GET', '/readyz')).body).toBe(
      'all shards are ready; collections not opened since the start: 8 (a request opens them)',
    );
    const { result } = await ask(server, 'GET', '/collections');
    expect(result).toEqual({ collections: names.sort().map((name) => ({ name })) });
    for (const name of names) {
      expect(await ask(server, 'GET', `/collections/${name}`)).toMatchObject({ result: { status: 'green', points_count: POINTS } });
      expect(await ask(server, 'GET', `/collections/${name}/status`)).toMatchObject({ result: { state: 'not_opened', memory_bytes: 0 } });
    }
    expect(await figure(server, 'collections_open')).toBe(0);
    await search(server, 1);
    expect(await figure(server, 'collections_open')).toBe(1);
    expect(await ask(server, 'GET', '/collections/c0/status')).toMatchObject({ result: { state: 'open', points_count: POINTS } });
    await search(server, COLLECTIONS);
    expect(await figure(server, 'collections_not_opened')).toBe(0);
    expect((await server.client.request('GET', '/readyz')).body).toBe('all shards are ready');
    // All of them, while they are closed for each other.
    await write(server, POINTS);
    await server.kill();
  });

  test('are opened at the start where the last run has not closed them; a damaged one answers with the reason, is tried again, and keeps nobody from the others', async () => {
    const data = join(directory.path, 'collections', '000001', 'data.mdb');
    truncateSync(data, 100);
    await using server = await start();
    expect(await figure(server, 'collections_opened_total')).toBeLessThanOrEqual(OPEN_MAX);
    expect(await figure(server, 'collections_unreadable')).toBe(1);
    expect((await server.client.request('GET', '/readyz')).body).toMatch(/; collections that could not be opened: 1 /);
    const { result } = await ask(server, 'GET', '/issues');
    expect(result).toMatchObject({ issues: [{ description: expect.stringContaining('could not be opened') }] });
    const { issues } = result as { readonly issues: readonly { readonly collection: string }[] };
    const damaged = issues[0]?.collection ?? '';
    const failed = await figure(server, 'collections_opening_failed_total');
    await expect
      .poll(async () => {
        expect(await ask(server, 'POST', `/collections/${damaged}/points/scroll`, {})).toMatchObject({
          status: 500,
          text: expect.stringContaining('data.mdb is damaged'),
        });
        return figure(server, 'collections_opening_failed_total');
      })
      .toBeGreaterThan(failed);
    for (const name of names.filter((each) => each !== damaged)) {
      expect(await ask(server, 'POST', `/collections/${name}/points/count`, {})).toMatchObject({ result: { count: 2 * POINTS } });
    }
  });
});
