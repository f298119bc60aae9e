// SPDX-License-Identifier: Apache-2.0
/**
 * Files as they come, each with what a scan must make of it: the right values with everything counted that is left out, or a sentence. The kinds are
 * those of the Pollock benchmark (Vitagliano et al., "Pollock: A Data Loading Benchmark", VLDB 2023), and what tools and transfers do to files.
 */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { CODE_PAGES } from './hostile-code-pages.ts';
import { HOSTILE_COLUMNAR } from './hostile-columnar.ts';
import { type HostileFile, type HostileKinds, MANY, NAMES, rowsOfMany, two } from './hostile-file.ts';
import { LATE_LINE_ENDS } from './hostile-late.ts';
import { HOSTILE_ORC } from './hostile-orc.ts';
import { HOSTILE_PARQUET } from './hostile-parquet.ts';
import { STATED_READINGS } from './hostile-stated.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { HOSTILE_WORKBOOKS } from './hostile-workbooks.ts';

export type { HostileFile };

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
/** "id,name" and rows in Japanese, Chinese and Russian, as bytes of their encodings. */
const SHIFT_JIS = Buffer.concat([
  Buffer.from('id,name\n1,'),
  Buffer.from('93fa967b8cea82cc8365835883678366815b835e', 'hex'),
  Buffer.from('\n2,'),
  Buffer.from('82a082a282a482a682a8', 'hex'),
  Buffer.from('\n'),
]);
const GBK = Buffer.concat([
  Buffer.from('id,name\n1,'),
  Buffer.from('d6d0b9fac8cbc3f1d2f8d0d020c9cfbaa3cad0c6d6b6abd0c2c7f8d5c5bdadc2b7', 'hex'),
  Buffer.from('\n2,'),
  Buffer.from('b1b1bea9cad0b3afd1f4c7f820d5e3bdadcaa1babcd6ddcad0cef7bafec7f8d1a7d4bac2b7', 'hex'),
  Buffer.from('\n'),
]);
const WINDOWS_1251 = Buffer.concat([
  Buffer.from('id,name\n1,'),
  Buffer.from('cff0e8e2e5f2ece8f0', 'hex'),
  Buffer.from('\n2,'),
  Buffer.from('cceef1eae2e0', 'hex'),
  Buffer.from('\n'),
]);

/** Few lines with it are more than what is looked at to find how a text is read. */
const LONG = 'x'.repeat(100);

const VALUES: readonly HostileFile[] = [
  {
    kind: 'leading zeros',
    content: 'id,zip\n1,01234\n2,10115\n',
    expected: {
      columns: ['id INTEGER', 'zip STRING'],
      rows: [
        ['1', '01234'],
        ['2', '10115'],
      ],
    },
  },
  {
    kind: 'leading zeros late',
    content: `zip,note\n${`10115,${LONG}\n`.repeat(3000)}01234,\n`,
    expected: { columns: ['zip STRING', 'note STRING'], rows: [...Array.from({ length: 3000 }, () => ['10115', LONG]), ['01234', null]] },
  },
  {
    kind: 'yes and no',
    content: 'id,ok\n1,yes\n2,no\n',
    expected: {
      columns: ['id INTEGER', 'ok STRING'],
      rows: [
        ['1', 'yes'],
        ['2', 'no'],
      ],
    },
  },
  {
    kind: 'yes and no that are asked for',
    content: 'id,ok\n1,yes\n2,No\n3,Y\n4,n\n5,t\n6,F\n7,1\n8,0\n9,TRUE\n10,false\n11, yes \n12,\n13,maybe\n14,2\n',
    reading: { types: { ok: 'BOOLEAN' } },
    expected: {
      columns: ['id INTEGER', 'ok BOOLEAN'],
      rows: ['true', 'false', 'true', 'false', 'true', 'false', 'true', 'false', 'true', 'false', 'true', null, null, null].map(
        (value, index) => [String(index + 1), value],
      ),
      mismatches: { ok: 2 },
    },
  },
  {
    kind: 'true and false',
    content: 'id,ok\n1,TRUE\n2,false\n',
    expected: {
      columns: ['id INTEGER', 'ok BOOLEAN'],
      rows: [
        ['1', 'true'],
        ['2', 'false'],
      ],
    },
  },
  {
    kind: 'a fraction late',
    content: `n\n${'7\n'.repeat(25_000)}1.5\n`,
    expected: { columns: ['n DECIMAL'], rows: [...Array.from({ length: 25_000 }, () => ['7.0']), ['1.5']] },
  },
  {
    kind: 'forms that only programs read',
    content: `n\n${'7\n'.repeat(200)}0x10\n1_000\n`,
    expected: { columns: ['n INTEGER'], rows: [...Array.from({ length: 200 }, () => ['7']), [null], [null]], mismatches: { n: 2 } },
  },
  {
    kind: 'forms of decimals that only programs read',
    content: `n\n${'7.5\n'.repeat(1000)}1_0\n1_0.5\n0x10\nInfinity\n-inf\nNaN\n１０\n 8.25 \n1e5\n`,
    expected: {
      columns: ['n DECIMAL'],
      rows: [...Array.from({ length: 1000 }, () => ['7.5']), ...Array.from({ length: 7 }, () => [null]), ['8.25'], ['100000.0']],
      mismatches: { n: 6 },
    },
  },
  {
    kind: 'an underscore in a decimal, alone',
    content: `n\n${'7.5\n'.repeat(1000)}1_0\n`,
    expected: { columns: ['n DECIMAL'], rows: [...Array.from({ length: 1000 }, () => ['7.5']), [null]], mismatches: { n: 1 } },
  },
  {
    kind: 'forms of integers that only programs read',
    content: `n\n${'7\n'.repeat(1000)}1_0\n0x10\n0b1\n1e5\ninf\n１０\n 8 \n`,
    expected: {
      columns: ['n INTEGER'],
      rows: [...Array.from({ length: 1000 }, () => ['7']), ...Array.from({ length: 6 }, () => [null]), ['8']],
      mismatches: { n: 6 },
    },
  },
  {
    kind: 'words that only programs read as days',
    content: `d\n${'2025-01-01\n'.repeat(1000)}epoch\ninfinity\n-infinity\n`,
    expected: {
      columns: ['d DATE'],
      rows: [...Array.from({ length: 1000 }, () => ['2025-01-01']), [null], [null], [null]],
      mismatches: { d: 3 },
    },
  },
  {
    kind: 'words that only programs read as times',
    content: `t\n${'2025-01-01 10:00:00\n'.repeat(1000)}epoch\ninfinity\n-infinity\n`,
    expected: {
      columns: ['t TIMESTAMP'],
      rows: [...Array.from({ length: 1000 }, () => ['2025-01-01 10:00:00']), [null], [null], [null]],
      mismatches: { t: 3 },
    },
  },
  {
    kind: 'telephone numbers',
    content: 'tel\n+49301234\n+49305678\n',
    expected: { columns: ['tel STRING'], rows: [['+49301234'], ['+49305678']] },
  },
  {
    kind: 'wide integers',
    content: 'n\n123456789012345678901\n123456789012345678902\n',
    expected: { columns: ['n INTEGER'], rows: [['123456789012345678901'], ['123456789012345678902']] },
  },
  {
    kind: 'null words among numbers',
    content: 'n,s\n1,a\nNULL,b\nN/A,c\n4,d\n',
    expected: {
      columns: ['n INTEGER', 's STRING'],
      rows: [
        ['1', 'a'],
        [null, 'b'],
        [null, 'c'],
        ['4', 'd'],
      ],
    },
  },
  {
    kind: 'a country called NA',
    content: 'n,c\n1,NA\n2,DE\n3,FR\n',
    expected: {
      columns: ['n INTEGER', 'c STRING'],
      rows: [
        ['1', 'NA'],
        ['2', 'DE'],
        ['3', 'FR'],
      ],
    },
  },
  {
    kind: 'days of Europe',
    content: 'd\n31.12.2024\n01.02.2025\n',
    expected: { columns: ['d DATE'], rows: [['2024-12-31'], ['2025-02-01']] },
  },
  {
    kind: 'days of America',
    content: 'd\n12/31/2024\n01/02/2025\n',
    expected: { columns: ['d DATE'], rows: [['2024-12-31'], ['2025-01-02']] },
  },
  {
    kind: 'days that could be either',
    content: 'd\n01/02/2024\n03/04/2025\n',
    expected: { columns: ['d STRING'], rows: [['01/02/2024'], ['03/04/2025']] },
  },
  {
    kind: 'a time of day among days',
    content: `d\n${'2025-01-01\n'.repeat(200)}2025-01-02 10:00:00\n`,
    expected: { columns: ['d DATE'], rows: [...Array.from({ length: 200 }, () => ['2025-01-01']), [null]], mismatches: { d: 1 } },
  },
  {
    kind: 'a day that is none',
    content: `d\n${'2025-01-01\n'.repeat(200)}2025-02-30\n`,
    expected: { columns: ['d DATE'], rows: [...Array.from({ length: 200 }, () => ['2025-01-01']), [null]], mismatches: { d: 1 } },
  },
];

const ENCODINGS: readonly HostileFile[] = [
  { kind: 'UTF-16 with its mark', content: utf16('\ufeffid,name\n1,Żółw\n2,b\n'), expected: two('Żółw', 'b') },
  { kind: 'UTF-16 without', content: utf16('id,name\n1,Zolw\n2,b\n'), expected: two('Zolw', 'b') },
  { kind: 'big-endian UTF-16', content: utf16('\ufeffid,name\n1,Żółw\n2,b\n').swap16(), expected: two('Żółw', 'b') },
  { kind: 'Windows-1252', content: Buffer.from('id,name\n1,caf\xe9\n2,M\xfcller \x96 x\n', 'latin1'), expected: two('café', 'Müller – x') },
  { kind: 'Shift-JIS', content: SHIFT_JIS, expected: two('日本語のテストデータ', 'あいうえお') },
  { kind: 'GBK', content: GBK, expected: two('中国人民银行 上海市浦东新区张江路', '北京市朝阳区 浙江省杭州市西湖区学院路') },
  { kind: 'Windows-1251', content: WINDOWS_1251, expected: { refused: /encoding of the file is ambiguous/ } },
  { kind: 'Windows-1251 that is said', content: WINDOWS_1251, reading: { encoding: 'WINDOWS-1251' }, expected: two('Приветмир', 'Москва') },
  {
    kind: 'one byte that is no UTF-8, late',
    content: Buffer.concat([Buffer.from(MANY), Buffer.from('20000,caf\xe9\n', 'latin1')]),
    expected: { columns: NAMES, rows: rowsOfMany(), rejected: 1 },
  },
  {
    kind: 'UTF-8 that is said and is not',
    content: Buffer.from('id,name\n1,caf\xe9\n2,b\n', 'latin1'),
    reading: { encoding: 'UTF-8' },
    expected: { columns: NAMES, rows: [['2', 'b']], rejected: 1 },
  },
  {
    kind: 'Shift-JIS that is said and is not',
    content: GBK,
    reading: { encoding: 'SHIFT_JIS' },
    expected: { refused: /not in the encoding SHIFT_JIS/ },
  },
  {
    kind: 'UTF-8 where Windows-1252 is said',
    content: 'id,name\n1,Müller\n2,b\n',
    reading: { encoding: 'WINDOWS-1252' },
    expected: {
      refused: /the file is UTF-8, not WINDOWS-1252 as options\.reading\.encoding says; set options\.reading\.encoding to UTF-8/,
    },
  },
  {
    kind: 'UTF-8 where Windows-1252 is said, late',
    content: `${MANY}20000,Müller\n`,
    reading: { encoding: 'WINDOWS-1252' },
    expected: { refused: /the file is UTF-8, not / },
  },
  {
    kind: 'UTF-8 where GBK is said',
    content: 'id,name\n1,中国人民\n2,上海天津\n',
    reading: { encoding: 'GBK' },
    expected: { refused: /the file is UTF-8, not GBK/ },
  },
  {
    kind: 'packed UTF-8 where ISO 8859-1 is said',
    name: 'a.csv.gz',
    content: gzipSync(`${MANY}20000,Müller\n`),
    reading: { encoding: 'ISO-8859-1' },
    expected: { refused: /the file is UTF-8, not / },
  },
  {
    kind: 'Windows-1252 that is said, of letters that could be UTF-8, and others',
    content: Buffer.from('id,name\n1,\xc3\xbc\n2,caf\xe9\n', 'latin1'),
    reading: { encoding: 'WINDOWS-1252' },
    expected: two('Ã¼', 'café'),
  },
  {
    kind: 'GBK that is said, of one word that could be UTF-8',
    content: Buffer.concat([Buffer.from('id,name\n1,'), Buffer.from('d2bb', 'hex'), Buffer.from('\n2,b\n')]),
    reading: { encoding: 'GBK' },
    expected: two('一', 'b'),
  },
  {
    kind: 'ASCII where Windows-1252 is said',
    content: 'id,name\n1,a\n2,b\n',
    reading: { encoding: 'WINDOWS-1252' },
    expected: two('a', 'b'),
  },
  { kind: 'zero bytes', content: 'id,name\n1,a\0b\n', expected: { refused: /zero bytes/ } },
];

const DAMAGED = { refused: /damaged or truncated/ };

const PACKED: readonly HostileFile[] = [
  { kind: 'gzip', name: 'a.csv.gz', content: gzipSync(MANY), expected: { columns: NAMES, rows: rowsOfMany() } },
  {
    kind: 'gzip of two members',
    name: 'a.csv.gz',
    content: Buffer.concat([gzipSync('id,name\n1,a\n'), gzipSync('2,b\n')]),
    expected: two('a', 'b'),
  },
  { kind: 'gzip that was cut', name: 'a.csv.gz', content: gzipSync(MANY).subarray(0, 40_000), expected: DAMAGED },
  { kind: 'gzip without its end', name: 'a.csv.gz', content: gzipSync(MANY).subarray(0, -5), expected: DAMAGED },
  {
    kind: 'gzip with a wrong bit',
    name: 'a.csv.gz',
    content: flipped(gzipSync(MANY)),
    expected: { refused: /damaged or truncated|cannot be decompressed/ },
  },
  { kind: 'zstd', name: 'a.csv.zst', content: zstdCompressSync(MANY), expected: { columns: NAMES, rows: rowsOfMany() } },
  { kind: 'zstd that was cut', name: 'a.csv.zst', content: zstdCompressSync(MANY).subarray(0, 30_000), expected: DAMAGED },
  {
    kind: 'bzip2',
    name: 'a.csv.bz2',
    content: Buffer.from('BZh91AY&SY'),
    expected: { refused: /compressed with bzip2, which is not supported/ },
  },
  { kind: 'ZIP', name: 'a.zip', content: Buffer.from('PK\u0003\u0004....'), expected: { refused: /a ZIP archive/ } },
  { kind: 'xz', name: 'a.csv.xz', content: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), expected: { refused: /compressed with xz/ } },
];

const OTHERS: readonly HostileFile[] = [
  {
    kind: 'XML',
    name: 'a.xml',
    content: '<?xml version="1.0"?>\n<rows><row a="1"/></rows>\n',
    expected: { refused: /is XML, which is not supported/ },
  },
  { kind: 'HTML', name: 'a.csv', content: '<!DOCTYPE html>\n<html><body>Sign in</body></html>\n', expected: { refused: /an HTML page/ } },
  {
    kind: 'a Parquet file that was cut',
    name: 'a.parquet',
    content: Buffer.from(`PAR1${'x'.repeat(500)}`),
    expected: { refused: /footer is damaged/ },
  },
  { kind: 'JSON lines', name: 'a.ndjson', content: '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n', expected: two('a', 'b') },
  {
    kind: 'JSON lines with rubbish',
    name: 'a.ndjson',
    content: '{"id":1,"name":"a"}\nnot json\n[1]\n{"id":2,"name":"b"}\n',
    expected: { ...two('a', 'b'), rejected: 2 },
  },
  {
    kind: 'JSON lines that were cut',
    name: 'a.ndjson',
    content: '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n{"id":3,"na',
    expected: { ...two('a', 'b'), rejected: 1 },
  },
  {
    kind: 'JSON lines with a byte that is no UTF-8',
    name: 'a.ndjson',
    content: Buffer.from(`${`{"id":1,"name":"${LONG}"}\n`.repeat(3000)}{"id":1,"name":"caf\xe9"}\n`, 'latin1'),
    expected: { columns: NAMES, rows: Array.from({ length: 3000 }, () => ['1', LONG]), rejected: 1 },
  },
  { kind: 'a JSON array', name: 'a.json', content: '[{"id":1,"name":"a"},\n {"id":2,"name":"b"}]', expected: two('a', 'b') },
  {
    kind: 'a JSON array that was cut',
    name: 'a.json',
    content: '[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3',
    expected: { refused: /JSON/ },
  },
  {
    kind: 'one JSON object with records',
    name: 'a.json',
    content: '{"status": "ok", "result": {"items": [{"id":1,"name":"a"},{"id":2,"name":"b"}]}}',
    expected: two('a', 'b'),
  },
  {
    kind: 'one JSON object with a path that is said',
    name: 'a.json',
    content: '{"a": [{"id":9,"name":"no"}], "b": [{"id":1,"name":"a"}]}',
    reading: { records_path: 'b' },
    expected: two('a'),
  },
  { kind: 'one JSON object that is a record', name: 'a.json', content: '{\n"id": 1,\n"name": "a"\n}', expected: two('a') },
];

/** The kinds of pollution that the Pollock benchmark names. */
export const POLLUTED_TEXTS: HostileKinds = { ...HOSTILE_TEXTS, encoding: ENCODINGS };

export const HOSTILE_FILES: readonly HostileFile[] = [
  ...Object.values(POLLUTED_TEXTS).flat(),
  ...VALUES,
  ...PACKED,
  ...CODE_PAGES,
  ...HOSTILE_WORKBOOKS,
  ...HOSTILE_COLUMNAR,
  ...HOSTILE_PARQUET,
  ...STATED_READINGS,
  ...LATE_LINE_ENDS,
  ...HOSTILE_ORC,
  ...OTHERS,
];

function flipped(bytes: Buffer): Buffer {
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}
