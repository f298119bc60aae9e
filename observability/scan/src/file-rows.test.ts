// SPDX-License-Identifier: Apache-2.0
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { createFileConnector } from '@sextant/observability-connectors';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changedFiles } from './file-rows.ts';
import { profileRequest } from './scan.conformance.ts';
import type { ScanMemory, ScanRequest } from './scan.ts';
import { scanOnThread } from './testing/engine-on-thread.ts';
import { parquetFile } from './testing/table-files.ts';
import { testLimits } from './testing/test-limits.ts';

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory[Symbol.asyncDispose]());

/** All files that match a path with a `*` in it. */
async function scanFiles(path: string, previous?: ScanMemory, options: ScanRequest['options'] = {}) {
  const connector = createFileConnector({ allowedDirectories: [directory.path], bytesMax: 2 ** 30 });
  const signal = new AbortController().signal;
  await using source = await connector.open(
    { id: 1, type: 'FILE', payload: { directory: directory.path }, credential: null },
    { payload: { path }, resolveWildcards: true },
    { signal, temporaryDirectory: directory.path },
  );
  const changes = { options, ...(previous === undefined ? {} : { previous }) };
  const limits = testLimits(join(directory.path, 'scans'));
  return await scanOnThread(profileRequest(source, ['id'], changes), { limits, clock: systemClock, signal, onProgress: () => undefined });
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const write = (name: string, text: string) => writeFile(join(directory.path, name), text);

const FORMATS: readonly (readonly [extension: string, text: (rows: number) => string])[] = [
  [
    'csv',
    (rows) =>
      `id,name\n${ids(rows)
        .map((id) => `${id},n${id}\n`)
        .join('')}`,
  ],
  [
    'ndjson',
    (rows) =>
      ids(rows)
        .map((id) => `{"id":${id}}\n`)
        .join(''),
  ],
  ['json', (rows) => `{"a": 1, "items": ${JSON.stringify(ids(rows).map((id) => ({ id })))}}`],
];

describe('rows of several files are counted by file, and the next scan says which are missing', () => {
  test.each(FORMATS)('of %s', async (extension, text) => {
    await write(`part-1.${extension}`, text(30));
    await write(`part-2.${extension}`, text(20));
    await write(`part-3.${extension}`, text(10));
    const first = await scanFiles(`part-*.${extension}`);
    expect(first).toMatchObject({ recordsScanned: 60, fileChanges: [] });
    expect(first.columns.map(({ name }) => name)).toEqual(extension === 'csv' ? ['id', 'name'] : ['id']);
    expect(first.memory.files).toEqual([
      { name: `part-1.${extension}`, rows: 30 },
      { name: `part-2.${extension}`, rows: 20 },
      { name: `part-3.${extension}`, rows: 10 },
    ]);
    await rm(join(directory.path, `part-2.${extension}`));
    await write(`part-3.${extension}`, text(4));
    const second = await scanFiles(`part-*.${extension}`, first.memory);
    expect(second.fileChanges).toEqual([
      { name: `part-2.${extension}`, before: 20, after: null },
      { name: `part-3.${extension}`, before: 10, after: 4 },
    ]);
    await rm(join(directory.path, `part-3.${extension}`));
    const third = await scanFiles(`part-*.${extension}`, second.memory);
    expect(third.fileChanges).toEqual([{ name: `part-3.${extension}`, before: 4, after: null }]);
  });

  test('of CSV with other columns in each, of which one is called filename', async () => {
    await write('part-1.csv', 'id,filename\n1,a\n2,b\n');
    await write('part-2.csv', 'id,other\n3,c\n');
    const { columns, memory } = await scanFiles('part-*.csv');
    expect(columns.map(({ name }) => name)).toEqual(['id', 'filename', 'other']);
    expect(memory.files).toEqual([
      { name: 'part-1.csv', rows: 2 },
      { name: 'part-2.csv', rows: 1 },
    ]);
  });

  test('of Parquet, in folders of their own', async () => {
    for (const [folder, rows] of [
      ['day-1', 3],
      ['day-2', 2],
    ] as const) {
      const place = join(directory.path, folder);
      await mkdir(place);
      const columns = [{ name: 'id', type: 'INTEGER', duckdbType: 'BIGINT', postgresqlType: 'bigint' }] as const;
      await (await parquetFile({ columns, rows: ids(rows).map((id) => [String(id)]) }, place))[Symbol.asyncDispose]();
    }
    const { memory } = await scanFiles('*/table.parquet');
    expect(memory.files).toEqual([
      { name: 'day-1/table.parquet', rows: 3 },
      { name: 'day-2/table.parquet', rows: 2 },
    ]);
  });

  test('and not where rows are chosen among all', async () => {
    await write('part-1.csv', 'id\n1\n2\n');
    await write('part-2.csv', 'id\n3\n');
    const first = await scanFiles('part-*.csv');
    const second = await scanFiles('part-*.csv', first.memory, { filter: { id: ['1'] } });
    expect([second.recordsScanned, second.fileChanges, second.memory.files]).toEqual([1, [], undefined]);
  });
});

test('one file in the place of another is no change', () => {
  expect(changedFiles([{ name: 'a', rows: 5 }], [{ name: 'b', rows: 9 }])).toEqual([]);
  expect(changedFiles(undefined, [{ name: 'b', rows: 9 }])).toEqual([]);
  expect(changedFiles([{ name: 'a', rows: 5 }], undefined)).toEqual([]);
});
