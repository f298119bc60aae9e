// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Reading } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import type { ByteSource } from './byte-source.ts';
import { formatHints, recogniseFile } from './recognise.ts';

function source(name: string, content: string | Uint8Array): ByteSource {
  const bytes = Buffer.from(content);
  return { name, bytes: bytes.byteLength, slice: async (start, end) => bytes.subarray(start, end) };
}

async function formatOf(name: string, content: string | Uint8Array, payload = {}, separator?: string) {
  const { format } = await recogniseFile(source(name, content), formatHints({ payload, ...(separator !== undefined && { separator }) }));
  return format.kind === 'delimited' ? delimited(format.reading.separator, format.reading.header) : format;
}

const HEAD_BYTES = 4;

/** An archive of one entry without its data: the directory alone is looked at. */
function archiveOf(name: string, unpackedBytes: number): Buffer {
  const entry = Buffer.alloc(46);
  entry.write('PK\u0001\u0002', 'latin1');
  entry.writeUInt32LE(unpackedBytes, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(HEAD_BYTES, 16);
  return Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), entry, Buffer.from(name), end]);
}

/** Nothing is said. */
const NONE = { reading: {} };
const delimited = (separator: string, header = true) => ({ kind: 'delimited', separator, header });

describe('the format of a file', () => {
  test.each([
    ['a.csv', 'a,b\n1,2\n', delimited(',')],
    ['a.csv', 'a;b\n1,5;2,5\n', delimited(';')],
    ['a.txt', 'a|b|c\n1|2|3\n', delimited('|')],
    ['a.tsv', 'a\tb,c\n1\t2,3\n', delimited('\t')],
    ['a.csv', '"a;x",b\n"1;2",3\n', delimited(',')],
    ['a.csv', 'name\nAda\n', delimited(',')],
    ['a.csv', '\ufeffa;b\r\n1;2\r\n', delimited(';')],
    ['a', '{"a": 1}\n{"a": 2}\n', { kind: 'ndjson' }],
    ['a', '\n  [{"a": 1}]', { kind: 'json', recordsPath: '' }],
    ['a.json', '{"a": 1}\n{"a": 2}\n', { kind: 'ndjson' }],
    ['a.json', '{\n  "a": 1\n}', { kind: 'json', recordsPath: '' }],
    ['a.jsonl', '{"a": 1}', { kind: 'ndjson' }],
    ['a.ndjson.gz', gzipSync('{"a": 1}\n'), { kind: 'ndjson' }],
    ['wrong-name.csv', '{"not": "json", as, csv}', delimited(',')],
  ])('%s holding %j is recognised', async (name, content, expected) => {
    expect(await formatOf(name, content)).toEqual(expected);
  });

  test.each([
    [{ file_type: 'json' }, undefined, { kind: 'json', recordsPath: '' }],
    [{ file_type: 'CSV', header: false }, undefined, delimited(',', false)],
    [{ header: 'false' }, ';', delimited(';', false)],
  ])('what the asset says wins: %j, separator %j', async (payload, separator, expected) => {
    expect(await formatOf('a.csv', '[{"a": 1}]', payload, separator)).toEqual(expected);
  });

  test.each([
    [{ unpackedBytes: 2 ** 30, bytes: 0 }, 'a.xlsx unpacks to 1073741824 bytes; the limit of workbooks is 268435456'],
    [{ unpackedBytes: 1, bytes: 65 * 2 ** 20 }, 'a.xlsx is 68157440 bytes; the limit of workbooks is 67108864'],
  ])('a workbook of %j is refused before it is read', async ({ unpackedBytes, bytes }, message) => {
    const archive = archiveOf('xl/workbook.xml', unpackedBytes);
    const padding = Buffer.alloc(Math.max(0, bytes - archive.length));
    archive.writeUInt32LE(padding.length + HEAD_BYTES, archive.length - 6);
    const content = Buffer.concat([archive.subarray(0, HEAD_BYTES), padding, archive.subarray(HEAD_BYTES)]);
    await expect(recogniseFile(source('a.xlsx', content), NONE)).rejects.toThrow(message);
  });

  test.each(['xl/workbook.bin', 'word/document.xml'])('an archive that holds %s is no workbook', async (name) => {
    await expect(recogniseFile(source('a.xlsx', archiveOf(name, 1)), NONE)).rejects.toThrow('a ZIP archive, or a document inside one');
  });

  test.each([
    [{ file_type: 'HDF5' }, undefined, 'payload.file_type HDF5 cannot be read'],
    [{ file_type: 'XML' }, undefined, 'expected one of CSV'],
    [{ header: 'maybe' }, undefined, 'payload.header must be true or false'],
    [{}, ';;', 'options.separator must be one character'],
    [{}, '"', 'options.separator must be one character'],
  ])('%j with separator %j is refused', (payload, separator, message) => {
    expect(() => formatHints({ payload, ...(separator !== undefined && { separator }) })).toThrow(message);
  });

  test.each([
    ['id,name\n1,a\n', true],
    ['1,a\n2,b\n', false],
    ['name,city\nAda,London\n', true],
    ['name,\nAda,London\n', false],
    ['name,\nAda,\n', true],
    ['id,name,\n1,Ada,\n2,Bo,\n', true],
    ['id,,price\n1,Ada,2.5\n2,Bo,3\n', true],
    ['1,,2.5\n2,Bo,3\n', false],
    ['NULL,,x\n1,Ada,y\n2,Bo,z\n', false],
    ['id,name,\n', true],
    [',\n', false],
    ['day,2019,2020\n2019-01-01,a,b\n', true],
    ['2019-01-01,x\n2019-01-02,y\n', false],
    ['true\nfalse\n', false],
    ['id\n', true],
    ['7\n', false],
  ])('%j has a header: %j', async (content, header) => {
    expect(await formatOf('a.csv', content)).toMatchObject({ header });
  });
});

describe('columns of a sample', () => {
  test.each([
    ['1\n-2\n', 'INTEGER'],
    ['1\n2.5\n', 'DECIMAL'],
    ['1e3\n.5\n', 'DECIMAL'],
    ['true\nFALSE\n', 'BOOLEAN'],
    ['2026-01-02\n', 'DATE'],
    ['2026-01-02\n2026-01-02T03:04:05Z\n', 'TIMESTAMP'],
    ['2026-01-02 03:04:05.123+02:00\n', 'TIMESTAMP'],
    ['1\nx\n', 'STRING'],
    ['\n', 'STRING'],
    ['12345678901234567890\n', 'INTEGER'],
    ['007\n123\n', 'STRING'],
    ['yes\nno\n', 'STRING'],
    ['+4930123456\n', 'STRING'],
    ['31/12/2025\n01/02/2025\n', 'DATE'],
    ['01/02/2025\n03/04/2025\n', 'STRING'],
    ['1\nNULL\n2\n', 'INTEGER'],
  ])('%j is of one type, %s', async (content, type) => {
    const { columns } = await recogniseFile(source('a.csv', `c\n${content}`), NONE);
    expect(columns).toMatchObject([{ name: 'c', data_type: type }]);
  });

  test('columns without a name of their own get one, and no two share one', async () => {
    const names = async (content: string, hints: Reading = {}) =>
      (await recogniseFile(source('a.csv', content), { reading: hints })).columns.map(({ name }) => name);
    expect(await names('a,a,a\nx,y,z\n')).toEqual(['a', 'a_1', 'a_2']);
    expect(await names('1,2\n3,4\n')).toEqual(['column0', 'column1']);
    expect(await names('a,,b\n', { header: true })).toEqual(['a', 'column1', 'b']);
  });

  test('quotes hold separators, line ends and themselves', async () => {
    const { columns } = await recogniseFile(source('a.csv', '"first\nname","says ""hi"""\n"x,y",2\n'), NONE);
    expect(columns.map(({ name }) => name)).toEqual(['first\nname', 'says "hi"']);
  });

  test('members of JSON records, in the order in which they come first', async () => {
    const records =
      '{"id": 12345678901234567890, "tags": [1], "s": "}{"}\n broken \n{"id": 2, "at": "2026-01-02", "x": null, "ok": true}\n{"cut": ';
    const { columns } = await recogniseFile(source('a.jsonl', records), NONE);
    expect(columns.map(({ name, data_type }) => `${name} ${data_type}`)).toEqual([
      'id INTEGER',
      'tags OTHER',
      's STRING',
      'at DATE',
      'x STRING',
      'ok BOOLEAN',
    ]);
  });

  test('a sample that packs a thousandfold is looked at in part', async () => {
    const { columns } = await recogniseFile(source('a.csv.gz', gzipSync(`a,b\n${'1,2\n'.repeat(5_000_000)}`)), NONE);
    expect(columns.map(({ data_type }) => data_type)).toEqual(['INTEGER', 'INTEGER']);
  });

  test('Parquet has its columns in its footer', async () => {
    const bytes = await readFile(new URL('fixture/types.parquet', import.meta.url));
    const { format, columns } = await recogniseFile(source('a.csv', bytes), NONE);
    expect(format).toEqual({ kind: 'parquet' });
    expect(columns.map(({ name, data_type }) => `${name} ${data_type}`)).toEqual([
      'small INTEGER',
      'big INTEGER',
      'price DECIMAL',
      'weight DECIMAL',
      'paid BOOLEAN',
      'day DATE',
      'at TIMESTAMP',
      'name STRING',
      'tags OTHER',
      'nested OTHER',
    ]);
  });
});

describe('files that cannot be read say why', () => {
  test.each([
    ['a.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 1, 2]), 'neither text nor a format'],
    ['a.parquet', 'a,b\n', 'a.parquet does not hold PARQUET'],
    ['a.parquet', 'PAR1 and nothing else PAR1', 'its footer is damaged'],
    ['a.csv.gz', Buffer.from([0x1f, 0x8b, 9, 9, 9, 9]), 'cannot be decompressed'],
    ['a.parquet.gz', gzipSync('PAR1....PAR1'), 'a Parquet file inside gzip'],
  ])('%s: %j', async (name, content, message) => {
    await expect(recogniseFile(source(name, content), NONE)).rejects.toThrow(message);
  });

  test('an empty file has no columns', async () => {
    expect((await recogniseFile(source('a.csv', ''), NONE)).columns).toEqual([]);
  });
});
