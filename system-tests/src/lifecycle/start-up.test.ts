// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';

const HELD_WRITER = new URL('held-writer.ts', import.meta.url);

async function fill(directory: string): Promise<void> {
  await using server = await startVectorServer({ directory });
  const vectors = vectorApi(server.client);
  for (const name of ['c0', 'c1', 'c2']) await vectors.collection(name).create({ vectors: { size: 4, distance: 'Dot' } });
  await vectors.collection('c0').upsert([{ id: 1, vector: [1, 2, 3, 4] }]);
  await server.stop();
}

describe('starting', () => {
  test('the port opens at once, and everything but health and metrics answers 412 until the collections are loaded', async () => {
    await using directory = await temporaryDirectory();
    const data = join(directory.path, 'data');
    const go = join(directory.path, 'go');
    await fill(data);
    const environment = { ...TWO_THREADS, NODE_OPTIONS: `--import=${HELD_WRITER.href}`, WRITER_HELD_UNTIL: go };
    await using server = await startVectorServer({ directory: data, environment, until: 'listening' });
    const get = (path: string) => server.client.request('GET', path);
    const early = { status: 412, body: { time: expect.any(Number), status: { error: 'Engine not initialized' } } };
    for (const path of ['/collections/c0', '/collections']) expect(await get(path)).toMatchObject(early);
    for (const path of ['/', '/metrics']) expect(await get(path)).toMatchObject({ status: 200 });
    await writeFile(go, '');
    await server.ready();
    expect(await get('/collections/c0')).toMatchObject({ status: 200, body: { result: { points_count: 1 } } });
    for (const path of ['/', '/metrics']) expect(await get(path)).toMatchObject({ status: 200 });
    await server.stop();
  });

  test('a restart keeps collections with their configuration, metadata, indexes and points', async () => {
    await using directory = await temporaryDirectory();
    const config = {
      vectors: { a: { size: 2, distance: 'Manhattan' }, b: { size: 3, distance: 'Cosine' } },
      metadata: { owner: 'tests' },
    } as const;
    const read = async () => {
      await using server = await startVectorServer({ directory: directory.path });
      const api = vectorApi(server.client).collection('kept, so ~');
      if (!(await api.exists())) {
        await api.create(config);
        await api.createIndex('n', { type: 'integer', range: true, lookup: false });
        await api.upsert([{ id: 18446744073709551615n, vector: { a: [1, 2], b: [0, 3, 4] }, payload: { n: 1, big: 9007199254740993n } }]);
      }
      const { config: stored, payload_schema } = await api.info();
      const state = { stored, payload_schema, points: await scrollAll(api) };
      await server.stop();
      return state;
    };
    const before = await read();
    expect(before.stored).toMatchObject({ params: { vectors: config.vectors }, metadata: config.metadata });
    expect(before.payload_schema).toMatchObject({ n: { data_type: 'integer', points: 1 } });
    expect(before.points).toMatchObject([{ id: 18446744073709551615n, payload: { big: 9007199254740993n } }]);
    expect(await read()).toEqual(before);
  });

  test('a second server on the same data directory is refused, and the first goes on', async () => {
    await using directory = await temporaryDirectory();
    await using first = await startVectorServer({ directory: directory.path });
    const second = startVectorServer({ directory: directory.path });
    await expect(second).rejects.toThrow(/left with exit code [1-9]/);
    await expect(second).rejects.toThrow(/data directory.*(in use|locked|another)/is);
    expect(await vectorApi(first.client).collections()).toEqual({ collections: [] });
    await first.stop();
    await using third = await startVectorServer({ directory: directory.path });
    await third.stop();
  });

  test.each([
    [{ SERVICE_REST_PORT: 'seven' }, /SERVICE_REST_PORT.*seven/],
    [{ SERVICE_THREADS: '-1' }, /SERVICE_THREADS.*-1/],
    [{ SERVICE_AUTH_ENABLED: 'perhaps' }, /SERVICE_AUTH_ENABLED.*perhaps/],
    [{ SERVICE_HOST: '0.0.0.0' }, /SERVICE_ALLOW_OPEN_ACCESS/],
  ])('is refused with the name of what is wrong: %o', async (environment, message) => {
    await using directory = await temporaryDirectory();
    const start = startVectorServer({ directory: directory.path, environment });
    await expect(start).rejects.toThrow(/left with exit code [1-9]/);
    await expect(start).rejects.toThrow(message);
  });

  test('on a port that browsers refuse, the service says that nobody can open its console', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startOnOneOf([6665, 6666, 6667, 6668, 6669, 6679, 6697], directory.path);
    const said = `browsers refuse to connect to port ${new URL(server.address).port}, so nobody can open the console; set SERVICE_REST_PORT`;
    await expect.poll(() => server.log.join('\n')).toContain(said);
    await server.stop();
  });
});

/** The first that nobody else listens on. */
async function startOnOneOf([port, ...others]: readonly number[], directory: string) {
  try {
    return await startVectorServer({ directory, environment: { SERVICE_REST_PORT: String(port) }, until: 'listening' });
  } catch (error) {
    if (others.length === 0 || !String(error).includes('is in use')) throw error;
    return startOnOneOf(others, directory);
  }
}
