// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';

const HELD_WRITER = new URL('held-writer.ts', import.meta.url);

describe('starting', () => {
  /** Of the tests below: each goes on with what the one before has left. */
  let directory: TemporaryDirectory;
  let first: ChildServer;
  const data = () => join(directory.path, 'data');

  beforeAll(async () => {
    directory = await temporaryDirectory();
    first = await startOnOneOf([6665, 6666, 6667, 6668, 6669, 6679, 6697], data());
  });
  afterAll(async () => {
    await first.kill();
    await directory[Symbol.asyncDispose]();
  });

  test('on a port that browsers refuse, the service says that nobody can open its console', async () => {
    const said = `browsers refuse to connect to port ${new URL(first.address).port}, so nobody can open the console; set SERVICE_REST_PORT`;
    await expect.poll(() => first.log.join('\n')).toContain(said);
  });

  test('a second server on the same data directory is refused, and the first goes on', async () => {
    const second = startVectorServer({ directory: data() });
    await expect(second).rejects.toThrow(/left with exit code [1-9]/);
    await expect(second).rejects.toThrow(/data directory.*(in use|locked|another)/is);
    expect(await vectorApi(first.client).collections()).toEqual({ collections: [] });
  });

  test('a restart keeps collections with their configuration, metadata, indexes and points, and opens its port before they are loaded', async () => {
    const config = {
      vectors: { a: { size: 2, distance: 'Manhattan' }, b: { size: 3, distance: 'Cosine' } },
      metadata: { owner: 'tests' },
    } as const;
    const stateOf = async (server: ChildServer) => {
      const api = vectorApi(server.client).collection('kept, so ~');
      const { config: stored, payload_schema } = await api.info();
      return { stored, payload_schema, points: await scrollAll(api) };
    };
    const api = vectorApi(first.client).collection('kept, so ~');
    await api.create(config);
    await api.createIndex('n', { type: 'integer', range: true, lookup: false });
    await api.upsert([{ id: 18446744073709551615n, vector: { a: [1, 2], b: [0, 3, 4] }, payload: { n: 1, big: 9007199254740993n } }]);
    const before = await stateOf(first);
    await first.stop();
    expect(before.stored).toMatchObject({ params: { vectors: config.vectors }, metadata: config.metadata });
    expect(before.payload_schema).toMatchObject({ n: { data_type: 'integer', points: 1 } });
    expect(before.points).toMatchObject([{ id: 18446744073709551615n, payload: { big: 9007199254740993n } }]);

    const go = join(directory.path, 'go');
    const environment = { NODE_OPTIONS: `--import=${HELD_WRITER.href}`, WRITER_HELD_UNTIL: go };
    await using server = await startVectorServer({ directory: data(), environment, until: 'listening' });
    const get = (path: string) => server.client.request('GET', path);
    const early = { status: 412, body: { time: expect.any(Number), status: { error: 'Engine not initialized' } } };
    // Everything but health and metrics.
    for (const path of ['/collections/kept%2C%20so%20~', '/collections']) expect(await get(path)).toMatchObject(early);
    for (const path of ['/', '/metrics']) expect(await get(path)).toMatchObject({ status: 200 });
    await writeFile(go, '');
    await server.ready();
    for (const path of ['/', '/metrics']) expect(await get(path)).toMatchObject({ status: 200 });
    expect(await stateOf(server)).toEqual(before);
    await server.stop();
  });

  test('is refused with the names of all that is wrong', async () => {
    await using directory = await temporaryDirectory();
    const environment = { SERVICE_REST_PORT: 'seven', SERVICE_AUTH_ENABLED: 'perhaps' };
    const start = startVectorServer({ directory: directory.path, environment });
    await expect(start).rejects.toThrow(/left with exit code [1-9]/);
    await expect(start).rejects.toThrow(/SERVICE_REST_PORT.*seven/);
    await expect(start).rejects.toThrow(/SERVICE_AUTH_ENABLED.*perhaps/);
  });
});

/** The first that nobody else listens on. */
async function startOnOneOf([port, ...others]: readonly number[], directory: string) {
  try {
    return await startVectorServer({ directory, environment: { SERVICE_REST_PORT: String(port) } });
  } catch (error) {
    if (others.length === 0 || !String(error).includes('is in use')) throw error;
    return startOnOneOf(others, directory);
  }
}
