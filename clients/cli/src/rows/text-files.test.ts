// SPDX-License-Identifier: Apache-2.0
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { rowsOf } from '../testing/rows-of.ts';
import { linesOf } from './lines.ts';
import { formatOfName, type OpenOptions, openBeside, openRows } from './open-rows.ts';

async function read(name: string, content: string | Uint8Array, options: Partial<OpenOptions> = {}, from = 0) {
  await using directory = await temporaryDirectory();
  const path = join(directory.path, name);
  await writeFile(path, content);
  await using source = await openRows(path, { header: true, ...options });
  return await rowsOf(source, from);
}

test('NDJSON: blank lines are none, the last line needs no end, large ids keep their digits', async () => {
  const rows = await read('a.ndjson', '{"id":18446744073709551615}\r\n\n  \n{"id":2}');
  expect(rows).toEqual([{ id: 18446744073709551615n }, { id: 2 }]);
});

test('NDJSON: what is no object is reported with its line, and the next line is read', async () => {
  const rows = await read(
    'a.jsonl',
    Buffer.concat([Buffer.from('{"a":1}\n[1]\n{"a":\n"\xff"\n'), Buffer.of(0x22, 0xff, 0x22, 0x0a), Buffer.from('{"a":2}\n')]),
  );
  expect(rows).toEqual([
    { a: 1 },
    'line 2 is not a JSON object',
    expect.stringMatching(/^line 3 is not valid JSON: /),
    'line 4 is not a JSON object',
    expect.stringMatching(/^line 5 is not valid JSON: /),
    { a: 2 },
  ]);
});

test('reading begins at any row, counted without blank lines', async () => {
  expect(await read('a.ndjson', '{"a":1}\n\n{"a":2}\n{"a":3}\n', {}, 2)).toEqual([{ a: 3 }]);
  expect(await read('a.csv', 'a\n1\n2\n3\n', {}, 2)).toEqual([{ a: '3' }]);
});

test('packed text is unpacked', async () => {
  expect(await read('a.ndjson.gz', gzipSync('{"a":1}\n'))).toEqual([{ a: 1 }]);
  expect(await read('a.csv.zst', zstdCompressSync('a,b\n1,2\n'))).toEqual([{ a: '1', b: '2' }]);
  await expect(read('a.ndjson.gz', 'no gzip at all')).rejects.toThrow('incorrect header check');
});

test('a line without an end has a bound', async () => {
  const lines = linesOf(Readable.from([Buffer.from('ab\ncdef'), Buffer.from('ghij')]), 6);
  await expect(toArray(lines)).rejects.toThrow('a line is longer than 6 bytes');
});

test('CSV: quotes, separators, empty cells, a byte order mark', async () => {
  expect(await read('a.csv', '\ufeffname,text\nx,"say ""hi"", you"\ny,\n')).toEqual([{ name: 'x', text: 'say "hi", you' }, { name: 'y' }]);
  expect(await read('a.csv', 'a;b\n1;2,5\n')).toEqual([{ a: '1', b: '2,5' }]);
  expect(await read('a.tsv', 'a\tb\n1\t2\n')).toEqual([{ a: '1', b: '2' }]);
  expect(await read('a.csv', 'a:b\n1:2\n', { delimiter: ':' })).toEqual([{ a: '1', b: '2' }]);
  expect(await read('a.csv', '1,2\n3,4\n', { header: false })).toEqual([
    { column0: '1', column1: '2' },
    { column0: '3', column1: '4' },
  ]);
  expect(await read('a.csv', '')).toEqual([]);
});

test('CSV: a row of another length is reported, broken quotes end the reading', async () => {
  expect(await read('a.csv', 'a,b\n1\n3,4\n')).toEqual(['has 1 cells instead of 2', { a: '3', b: '4' }]);
  await expect(read('a.csv', 'a,b\n1,"x\n')).rejects.toThrow('is not valid delimited text');
  await expect(read('a.csv', 'a,a\n1,2\n')).rejects.toThrow('two columns named "a"');
});

test('Parquet that is none is refused', async () => {
  await expect(read('a.parquet', 'PAR1 and nothing more PAR1')).rejects.toThrow('is not a readable Parquet file');
});

test.each([
  ['points.ndjson', 'ndjson'],
  ['points.JSONL.gz', 'ndjson'],
  ['a.tsv', 'csv'],
  ['a.parquet', 'parquet'],
  ['a.npy', 'npy'],
  ['a.fvecs', 'fvecs'],
  ['train-images-idx3-ubyte', 'idx'],
  ['a.json', undefined],
  ['npy', undefined],
])('%s is %s', (name, format) => {
  expect(formatOfName(name)).toBe(format);
});

test('a name that tells no format asks for one', async () => {
  await expect(read('a.dat', '')).rejects.toThrow('cannot be told from its name');
  expect(await read('a.dat', '{"a":1}', { format: 'ndjson' })).toEqual([{ a: 1 }]);
});

test('files beside each other make one row; unequal lengths are reported', async () => {
  await using directory = await temporaryDirectory();
  const at = (name: string) => join(directory.path, name);
  await writeFile(at('a.ndjson'), '{"id":1}\n{"id":2}\n');
  await writeFile(at('b.csv'), 'label\nx\ny\n');
  await writeFile(at('c.csv'), 'label\nx\n');
  await using whole = await openBeside(at('a.ndjson'), [{ path: at('b.csv'), name: 'digit' }], { header: true });
  expect(await rowsOf(whole)).toEqual([
    { id: 1, digit: 'x' },
    { id: 2, digit: 'y' },
  ]);
  await using short = await openBeside(at('a.ndjson'), [{ path: at('c.csv') }], { header: true });
  await expect(rowsOf(short)).rejects.toThrow('c.csv ends before row 2');
  await expect(openBeside(at('a.ndjson'), [{ path: at('nosuch.csv') }], { header: true })).rejects.toThrow('does not exist');
});

async function toArray<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const array: Item[] = [];
  for await (const item of items) array.push(item);
  return array;
}
