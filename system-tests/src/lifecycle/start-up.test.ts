import { freePort, type JsonReply, jsonClient, temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { inLanes } from '../lanes.ts';
import { until } from '../until.ts';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';

/** Opening so many takes longer than a serving thread takes to listen. */
const COLLECTIONS = 300;
const LANES = 50;
const PROBE = '/collections/c0';
/** Loading may still be over before the first answer, on a machine that is busy elsewhere; then it is tried again. */
const STARTS_MAX = 5;

async function fill(directory: string): Promise<void> {
  await using server = await startVectorServer({ directory });
  const vectors = vectorApi(server.client);
  await inLanes(COLLECTIONS, LANES, async (index) => {
    await vectors.collection(`c${index}`).create({ vectors: { size: 4, distance: 'Dot' } });
  });
  await vectors.collection('c0').upsert([{ id: 1, vector: [1, 2, 3, 4] }]);
  await server.stop();
}

/** What three endpoints answer from the moment that the port is open until the engine is loaded. */
async function watchStart(
  directory: string,
): Promise<{ readonly data: JsonReply[]; readonly health: JsonReply[]; readonly metrics: JsonReply[] }> {
  const port = await freePort();
  using client = jsonClient({ baseUrl: `http://127.0.0.1:${port}` });
  const starting = startVectorServer({ directory, environment: { SERVICE_REST_PORT: String(port), SERVICE_THREADS: '1' } });
  const seen = { data: [] as JsonReply[], health: [] as JsonReply[], metrics: [] as JsonReply[] };
  await until('the port is open', 30_000, () => client.request('GET', '/').catch(() => undefined));
  do {
    seen.data.push(await client.request('GET', PROBE));
    seen.health.push(await client.request('GET', '/'));
    seen.metrics.push(await client.request('GET', '/metrics'));
  } while (seen.data.at(-1)?.status === 412);
  await using server = await starting;
  await server.stop();
  return seen;
}

describe('starting', () => {
  test('the port opens at once, and everything but health and metrics answers 412 until the collections are loaded', async () => {
    await using directory = await temporaryDirectory();
    await fill(directory.path);
    let seen = await watchStart(directory.path);
    for (let starts = 1; starts < STARTS_MAX && seen.data.length === 1; starts++) seen = await watchStart(directory.path);
    const early = seen.data.slice(0, -1);
    expect(early.length).toBeGreaterThan(0);
    for (const reply of early) {
      expect(reply).toMatchObject({ status: 412, body: { time: expect.any(Number), status: { error: 'Engine not initialized' } } });
    }
    expect(seen.data.at(-1)).toMatchObject({ status: 200, body: { result: { points_count: 1 } } });
    expect(new Set([...seen.health, ...seen.metrics].map(({ status }) => status))).toEqual(new Set([200]));
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
});
