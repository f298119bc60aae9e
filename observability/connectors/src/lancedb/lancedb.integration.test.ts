// SPDX-License-Identifier: Apache-2.0
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenConnection, VectorCollectionAccess, VectorPoint } from '../connector.ts';
import { hasLance, lanceClient, VECTOR_CLIENTS } from '../testing/vector-stores-for-tests.ts';
import { createLanceConnector } from './lance-connector.ts';
import { startLanceReader } from './lance-reader.ts';

const signal = new AbortController().signal;
const ROWS = 2500;

test('a client that is not installed is asked for', async () => {
  await using directory = await temporaryDirectory();
  const connection = { id: 1, type: 'LANCEDB', payload: { directory: directory.path }, credential: null } as const;
  const connector = createLanceConnector({ allowedDirectories: [directory.path] });
  await expect(connector.test(connection, signal)).rejects.toThrow('its operator can run `npm install @lancedb/lancedb` beside it');
});

describe.skipIf(!hasLance)('tables of LanceDB (.ci/run installs its client)', () => {
  let directory: TemporaryDirectory;
  let connection: OpenConnection;
  const before = process.env.NODE_PATH;

  beforeAll(async () => {
    process.env.NODE_PATH = VECTOR_CLIENTS;
    directory = await temporaryDirectory();
    await mkdir(join(directory.path, 'db'));
    connection = { id: 1, type: 'LANCEDB', payload: { directory: join(directory.path, 'db') }, credential: null };
    const lance = lanceClient();
    const database = await lance.connect(join(directory.path, 'db'));
    const row = (id: number) => ({
      id: BigInt(id),
      title: `it's ${id}`,
      plays: 9007199254740993n,
      tags: ['a', 'b'],
      more: { at: id },
      vector: [id, 1, 0.1],
    });
    const songs = await database.createTable(
      'songs',
      Array.from({ length: ROWS }, (_, id) => row(id)),
    );
    await songs.createIndex('vector', { config: lance.Index.ivfFlat({ numPartitions: 2 }) });
    await songs.add([row(ROWS)]);
    await database.createTable('plain', [{ id: 1, title: 'x' }]);
    await database.createTable('keyless', [
      { title: 'x', vector: [1, Number.NaN] },
      { title: 'y', vector: [Number.POSITIVE_INFINITY, 2] },
    ]);
    await symlink('/etc', join(directory.path, 'db/outside.lance'));
  });
  afterAll(async () => {
    if (before === undefined) delete process.env.NODE_PATH;
    else process.env.NODE_PATH = before;
    await directory[Symbol.asyncDispose]();
  });

  const connectorOf = () => createLanceConnector({ allowedDirectories: [directory.path] });

  async function open(payload: OpenConnection['payload']) {
    const opened = await connectorOf().open(connection, { payload }, { signal, temporaryDirectory: '/nowhere' });
    if (opened.data.kind !== 'vectors') throw new Error('expected vectors');
    return { ...opened, collection: opened.data.collection };
  }

  async function pointsOf(collection: VectorCollectionAccess): Promise<readonly VectorPoint[]> {
    const points: VectorPoint[] = [];
    for await (const page of collection.points({ signal })) points.push(...page);
    return points;
  }

  test('are listed', async () => {
    const names = (await connectorOf().list(connection, { limit: 10, signal })).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['keyless', 'plain', 'songs']));
  });

  test('have rows that are points, each once, with exact integers', async () => {
    await using opened = await open({ table: 'songs' });
    expect(await opened.collection.info()).toEqual({ points: ROWS + 1, indexed: ROWS, dimensions: { vector: 3 } });
    expect(opened.description.columns.map(({ name, data_type: type }) => [name, type])).toEqual([
      ['id', 'INTEGER'],
      ['title', 'STRING'],
      ['plays', 'INTEGER'],
      ['tags', 'OTHER'],
      ['more', 'OTHER'],
    ]);
    const points = await pointsOf(opened.collection);
    expect(new Set(points.map(({ id }) => id)).size).toBe(ROWS + 1);
    expect(points.find(({ id }) => id === '7')).toEqual({
      id: '7',
      payload: { id: 7, title: "it's 7", plays: 9007199254740993n, tags: ['a', 'b'], more: { at: 7 } },
      vectors: { vector: [7, 1, Math.fround(0.1)] },
    });
  });

  test('are searched through their index and, for comparison, by every row', async () => {
    await using opened = await open({ table: 'songs', id: 'title' });
    const search = { id: "it's 100", vector: 'vector', limit: 2 };
    const answers = await opened.collection.nearest?.(
      [
        { ...search, isExact: false },
        { ...search, isExact: true },
        { ...search, isExact: true, where: { member: 'title', value: "it's 7" } },
        { ...search, isExact: true, where: { member: 'id', value: 9 } },
      ],
      { signal },
    );
    const ids = answers?.map((points) => points.map(({ id }) => id).toSorted());
    expect(ids).toEqual([["it's 101", "it's 99"], ["it's 101", "it's 99"], ["it's 7"], ["it's 9"]]);
    expect(answers?.[1]?.map(({ score }) => score)).toEqual([1, 1]);
  });

  test('have row ids where no column tells rows apart, and say what is no number', async () => {
    await using opened = await open({ table: 'keyless' });
    const points = await pointsOf(opened.collection);
    expect(points.map(({ payload, vectors }) => [payload.title, vectors.vector])).toEqual([
      ['x', [1, null]],
      ['y', [Number.POSITIVE_INFINITY, 2]],
    ]);
    expect(new Set(points.map(({ id }) => id)).size).toBe(2);
    expect(opened.collection.nearest).toBeUndefined();
  });

  test.each([
    [{ table: 'missing' }, 'payload.table', 'there is no table missing'],
    [{ table: 'outside' }, 'payload.table', 'there is no table outside'],
    [{ table: '../db/songs' }, 'payload.table', 'not the name of a table'],
    [{ table: 'plain' }, 'payload.table', 'has no column of fixed-size lists'],
  ])('%j is refused with the member at fault', async (payload, member, message) => {
    await expect(open(payload)).rejects.toMatchObject({ name: 'SourceError', member, message: expect.stringContaining(message) });
  });

  test('a reader refuses columns that tell no rows apart', async () => {
    await using reader = startLanceReader(signal);
    for (const [id, message] of [
      ['none', 'no column'],
      ['tags', 'neither numbers nor texts'],
    ] as const) {
      const reading = reader.ask({ kind: 'open', directory: join(directory.path, 'db'), table: 'songs', id }, 'table');
      await expect(reading).rejects.toMatchObject({ name: 'SourceError', member: 'payload.id', message: expect.stringContaining(message) });
    }
  });

  test('a reader that takes more memory than it may says so and ends', async () => {
    await using reader = startLanceReader(signal, 1);
    const request = { kind: 'open', directory: join(directory.path, 'db'), table: 'songs', id: undefined } as const;
    const reading = async () => {
      for (;;) await reader.ask(request, 'table');
    };
    await expect(reading()).rejects.toThrow('takes more than 0 MiB of memory');
  });

  test('an aborted reading ends its process', async () => {
    const stop = new AbortController();
    const opened = await connectorOf().open(
      connection,
      { payload: { table: 'songs' } },
      { signal: stop.signal, temporaryDirectory: '/nowhere' },
    );
    stop.abort(new Error('enough'));
    if (opened.data.kind !== 'vectors') throw new Error('expected vectors');
    await expect(opened.data.collection.points({})[Symbol.asyncIterator]().next()).rejects.toThrow('enough');
    await opened[Symbol.asyncDispose]();
  });
});
