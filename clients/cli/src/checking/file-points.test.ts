// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import type { VectorPoint } from '@sextant/observability-scan/vectors';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandFailure } from '../failure.ts';
import { npyFile } from '../testing/binary-files.ts';
import { type FileReading, openFilePoints } from './file-points.ts';

let directory: TemporaryDirectory;
let files = 0;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

async function open(name: string, bytes: Uint8Array | string, mapping: Partial<FileReading['mapping']> = {}) {
  const path = join(directory.path, `${files++}-${name}`);
  await writeFile(path, bytes);
  return openFilePoints({ path, reading: { header: true }, mapping: { vectors: [], ...mapping } });
}

async function read(...file: Parameters<typeof open>) {
  await using opened = await open(...file);
  const { dimensions } = await opened.access.info();
  const points: VectorPoint[] = [];
  for await (const page of opened.access.points({})) points.push(...page);
  return { dimensions, points, unreadable: opened.unreadable(), notDense: [...opened.notDense()] };
}

const lines = (...rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

test('components that are no numbers stay what they are', async () => {
  const data = new Uint8Array(Float32Array.of(1, Number.NaN, Number.POSITIVE_INFINITY, 0.1).buffer);
  const { dimensions, points } = await read('a.npy', npyFile({ descr: '<f4', shape: [2, 2], data }));
  expect(dimensions).toEqual({ '': 2 });
  expect(points.map(({ id, vectors }) => [id, vectors['']])).toEqual([
    ['0', [1, Number.NaN]],
    ['1', [Number.POSITIVE_INFINITY, expect.closeTo(0.1, 7)]],
  ]);
  const rows = await read('b.ndjson', lines({ id: 'doc-17', vector: [1, null] }, { id: 'doc-18', vector: [1, 2] }));
  expect(rows.points.map(({ id, vectors }) => [id, vectors['']])).toEqual([
    ['doc-17', [1, Number.NaN]],
    ['doc-18', [1, 2]],
  ]);
  const cells = await read('c.csv', 'p1,p2\n1,2\nx,nan\n', { vectors: [{ column: 'p*' }] });
  expect(cells.points.map(({ vectors }) => vectors[''])).toEqual([
    [1, 2],
    [Number.NaN, Number.NaN],
  ]);
});

test('vectors of another length are points, and most vectors say the dimension', async () => {
  const { dimensions, points } = await read('a.ndjson', lines({ vector: [1] }, { vector: [1, 2] }, { vector: [3, 4] }));
  expect(dimensions).toEqual({ '': 2 });
  expect(points.map(({ vectors }) => vectors['']?.length)).toEqual([1, 2, 2]);
});

test('rows without a vector are counted, with the first reasons', async () => {
  const { points, unreadable } = await read(
    'a.ndjson',
    `${lines({ vector: [1, 2] }, { vector: 'none' })}\nnot json\n${lines({ text: 'x' })}`,
  );
  expect(points).toHaveLength(1);
  expect(unreadable.count).toBe(3);
  expect(unreadable.first.map((reason) => /^row \d+/.exec(reason)?.[0])).toEqual(['row 2', 'row 3', 'row 4']);
});

test('sparse vectors and multivectors are named as not dense', async () => {
  const sparse = { indices: [1], values: [2] };
  const { dimensions, notDense, points } = await read('a.ndjson', lines({ vector: { a: [1, 2], words: sparse, tokens: [[1], [2]] } }));
  expect([dimensions, notDense]).toEqual([{ a: 2 }, ['words', 'tokens']]);
  expect(points[0]?.vectors).toEqual({ a: [1, 2] });
});

test('a file without dense vectors is refused with what would be right', async () => {
  const refused = open('a.ndjson', lines({ text: 'x' }));
  await expect(refused).rejects.toThrow(/has no dense vectors: row 1 has no vector/);
  await expect(refused).rejects.toMatchObject({ outcome: 'bad_data', advice: expect.stringContaining('--vector') });
  await expect(
    openFilePoints({ path: join(directory.path, 'gone.npy'), reading: { header: true }, mapping: { vectors: [] } }),
  ).rejects.toThrow(CommandFailure);
});
