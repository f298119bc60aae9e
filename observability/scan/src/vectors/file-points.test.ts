// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { createFileConnector, type OpenedSource, type VectorPoint } from '@sextant/observability-connectors';
import { afterAll, describe, expect, test } from 'vitest';
import { runScan } from '../run-scan.ts';
import { profileRequest } from '../scan.conformance.ts';
import type { ScanResult } from '../scan.ts';
import { onThreadOfTest, scanOnThread } from '../testing/engine-on-thread.ts';
import { metricNamed } from '../testing/named-metric.ts';
import { writeParquet } from '../testing/parquet-writer.ts';
import { testLimits } from '../testing/test-limits.ts';
import { fileVectors } from './file-points.ts';

const directory = await temporaryDirectory();
afterAll(() => directory[Symbol.asyncDispose]());
const signal = new AbortController().signal;
const options = { limits: testLimits(join(directory.path, 'scans')), clock: systemClock, signal, onProgress: () => undefined };
const connector = createFileConnector({ allowedDirectories: [directory.path], bytesMax: 2 ** 30 });
const connection = { id: 1, type: 'FILE', payload: { directory: directory.path }, credential: null } as const;

function open(payload: { readonly [member: string]: unknown }): Promise<OpenedSource> {
  return connector.open(connection, { payload, resolveWildcards: true }, { signal, temporaryDirectory: directory.path });
}

async function written(name: string, select: string): Promise<string> {
  await writeParquet(select, join(directory.path, name), ['ROW_GROUP_SIZE 2048']);
  return name;
}

async function read(payload: { readonly [member: string]: unknown }) {
  await using source = await open(payload);
  if (source.data.kind !== 'files' || source.data.vectors === undefined) throw new Error('expected files of points');
  const access = fileVectors({ ...source.data, vectors: source.data.vectors }, options, onThreadOfTest);
  const points: VectorPoint[] = [];
  for await (const page of access.points({ signal })) points.push(...page);
  return { points, info: await access.info(), columns: source.description.columns.map(({ name }) => name) };
}

async function scan(payload: { readonly [member: string]: unknown }, run = scanOnThread): Promise<ScanResult> {
  await using source = await open(payload);
  return await run(profileRequest(source, []), options);
}

describe('rows of Parquet are points', () => {
  test('with lists of floats, what is no number in them, and a payload with exact integers', async () => {
    const path = await written(
      'songs.parquet',
      `SELECT 's' || i AS sku, 9007199254740993 + i AS plays, 'nan'::DOUBLE AS price, '\\x01'::BLOB AS raw, [i, 0.1, 1e-10]::FLOAT[] AS embedding,
       CASE WHEN i = 1 THEN NULL ELSE ['nan'::DOUBLE, 'inf', '-inf', NULL, 0.1] END AS other FROM range(3000) r(i)`,
    );
    const { points, info, columns } = await read({ path, vectors: ['embedding', 'other'], id: 'sku' });
    expect(info).toEqual({ points: 3000, indexed: undefined, dimensions: { embedding: 3, other: 5 } });
    expect(columns).toEqual(['sku', 'plays', 'price', 'raw']);
    expect(points.map(({ id }) => id)).toEqual(Array.from({ length: 3000 }, (_, index) => `s${index}`));
    expect(points[2]).toEqual({
      id: 's2',
      payload: { sku: 's2', plays: 9007199254740995n, price: null },
      vectors: {
        embedding: [2, Math.fround(0.1), Math.fround(1e-10)],
        other: [null, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null, 0.1],
      },
    });
    expect(points[1]?.vectors).toEqual({ embedding: [1, Math.fround(0.1), Math.fround(1e-10)] });
  });

  test('of several files, each with its name in the ids', async () => {
    await written('part-1.parquet', 'SELECT [1.0, 2.0] AS v FROM range(2)');
    await written('part-2.parquet', 'SELECT [3.0, 4.0] AS v');
    const { points, info } = await read({ path: 'part-*.parquet', vectors: 'v' });
    expect(info).toMatchObject({ points: 3, dimensions: { v: 2 } });
    expect(points.map(({ id }) => id)).toEqual(['part-1.parquet:1', 'part-1.parquet:2', 'part-2.parquet:1']);
  });

  test('which a scan measures as those of a collection', async () => {
    const path = await written(
      'zeros.parquet',
      'SELECT i AS id, CASE WHEN i % 10 = 3 THEN [0.0, 0.0] ELSE [i::FLOAT, 1.0] END AS v FROM range(100) r(i)',
    );
    const { metrics, samples, recordsScanned, columns } = await scan({ path, vectors: 'v', id: 'id' }, runScan);
    expect(recordsScanned).toBe(100);
    expect(columns.map(({ name }) => name)).toEqual(['id']);
    expect(metricNamed(metrics, 'VECTOR_ZERO_COUNT', 'count')).toBe(10);
    expect(metricNamed(metrics, 'INDEX_COVERAGE', 'ratio')).toBeUndefined();
    expect(samples.map(({ row }) => JSON.stringify(row)).join()).toContain('"3"');
  });
});

test('rows of an array of NumPy are points, and are read as they are where they should not be', async () => {
  const rows = 1500;
  const head = Buffer.from(
    `\x93NUMPY\x01\x00v\x00${`{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, 2), }`.padEnd(117)}\n`,
    'latin1',
  );
  const data = Float32Array.from({ length: rows * 2 }, (_, at) => (at === 3 ? Number.NaN : at === 5 ? Number.POSITIVE_INFINITY : at / 10));
  await writeFile(join(directory.path, 'embeddings.npy'), Buffer.concat([head, new Uint8Array(data.buffer)]));
  const { points, info } = await read({ path: 'embeddings.npy', vectors: 'vector' });
  expect(info).toEqual({ points: rows, indexed: undefined, dimensions: { vector: 2 } });
  expect(points).toHaveLength(rows);
  expect(points.slice(0, 4)).toEqual([
    { id: '1', payload: {}, vectors: { vector: [0, Math.fround(0.1)] } },
    { id: '2', payload: {}, vectors: { vector: [Math.fround(0.2), null] } },
    { id: '3', payload: {}, vectors: { vector: [Math.fround(0.4), Number.POSITIVE_INFINITY] } },
    { id: '4', payload: {}, vectors: { vector: [Math.fround(0.6), Math.fround(0.7)] } },
  ]);
  await writeFile(join(directory.path, 'cut.npy'), Buffer.concat([head, Buffer.alloc(12)]));
  await expect(read({ path: 'cut.npy', vectors: 'vector' })).rejects.toMatchObject({
    name: 'SourceError',
    message: expect.stringContaining('its header announces 1500 rows'),
  });
});

describe('is refused with the member or the row at fault', () => {
  test.each([
    [{ vectors: 'embeding' }, 'payload.vectors', 'embeding is not a column of the file; did you mean embedding?'],
    [{ vectors: [] }, 'payload.vectors', 'must name from 1 to 16 columns'],
    [{ vectors: ['embedding', 'embedding'] }, 'payload.vectors', 'each once'],
    [{ vectors: true }, 'payload.vectors', 'expected the name of a column with lists of numbers'],
    [{ vectors: 'embedding', id: 'embedding' }, 'payload.id', 'a vector cannot identify points'],
    [{ vectors: 'embedding', id: 'skuu' }, 'payload.id', 'did you mean sku?'],
  ])('%j', async (payload, member, message) => {
    const path = await written('refused.parquet', `SELECT 'a' AS sku, [1.0] AS embedding`);
    await expect(open({ path, ...payload })).rejects.toMatchObject({
      name: 'SourceError',
      member,
      message: expect.stringContaining(message),
    });
  });

  test('text', async () => {
    await writeFile(join(directory.path, 'points.csv'), 'id,v\n1,"[1,2]"\n');
    await expect(open({ path: 'points.csv', vectors: 'v' })).rejects.toMatchObject({ member: 'payload.vectors' });
  });

  test.each([
    ["SELECT 'x' AS v", 'v holds x, which is not a list of numbers'],
    ["SELECT ['a'] AS v", 'v holds [a], which is not a list of numbers'],
    ['SELECT [1.0] AS v, NULL::INTEGER AS sku', 'row 1 has no value in sku'],
    ["SELECT [1.0] AS v, 1 AS sku, repeat('x', 1100000) AS text", 'row 1 has more than 1048576 bytes in addition to its vectors'],
  ])('%s', async (select, message) => {
    const path = await written('faulty.parquet', select);
    const payload = { path, vectors: 'v', ...(select.includes('sku') && { id: 'sku' }) };
    await expect(scan(payload)).rejects.toMatchObject({ name: 'ScanError', message: expect.stringContaining(message) });
  });
});
