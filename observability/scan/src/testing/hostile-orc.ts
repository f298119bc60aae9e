// SPDX-License-Identifier: Apache-2.0
/** ORC files: as a library wrote them, as only other writers write them, and damaged and hostile ones. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type HostileFile, type Right, TEXT_ROWS } from './hostile-file.ts';
import { type Field, KIND, message, type OrcParts, orcFile, parent, row, STREAM, small, steps, varint, zigzag } from './orc-files.ts';

const { present: PRESENT, data: DATA, length: LENGTH, dictionary: DICTIONARY, secondary: SECONDARY } = STREAM;
const fixture = (name: string): Buffer => readFileSync(new URL(`./orc/${name}`, import.meta.url));
// The script that wrote the files wrote it.
const rowsOf = (name: string): Right => JSON.parse(fixture(`${name}.json`).toString()) as Right;
const NUMBERS = fixture('numbers-0.12.orc');
const TYPES = rowsOf('types');

const WRITTEN: readonly HostileFile[] = [
  ...['uncompressed', 'zlib', 'snappy', 'lz4', 'zstd', '0.11'].map((name) => ({
    kind: `ORC columns of many types, ${name}`,
    name: 'a.orc',
    content: fixture(`types-${name}.orc`),
    expected: TYPES,
  })),
  ...['0.11', '0.12'].map((version) => ({
    kind: `ORC numbers in runs of all kinds, version ${version}`,
    name: 'a.orc',
    content: fixture(`numbers-${version}.orc`),
    expected: rowsOf('numbers'),
  })),
  { kind: 'an ORC file of another name', name: 'a.csv', content: fixture('types-zlib.orc'), expected: TYPES },
];

const TEXTS: OrcParts = {
  types: [row('id', 'name'), [[1, KIND.bigint]], [[1, KIND.string]]],
  streams: [
    [DATA, 1, steps(1, 1, { length: 2 })],
    [PRESENT, 2, [0xff, 0x80]],
    [DATA, 2, Buffer.from('Żółw')],
    [LENGTH, 2, small(7)],
  ],
  rows: 2,
};
const one = (type: readonly Field[], ...streams: OrcParts['streams']): OrcParts => ({ types: [row('a'), type], streams, rows: 1 });
const list = (length: number, ...item: readonly (readonly Field[])[]): OrcParts => ({
  types: [row('a'), parent(KIND.list, 2), ...item],
  streams: [[LENGTH, 1, steps(length, 0, { isSigned: false })]],
  rows: 1,
});
const decimal = (precision: number, digits: number, scale: number): OrcParts =>
  one(
    [
      [1, KIND.decimal],
      [5, precision],
      [6, 2],
    ],
    [DATA, 1, varint(zigzag(digits))],
    [SECONDARY, 1, steps(scale, 0)],
  );
const NEW_YORK = Date.UTC(2015, 0, 1, 5) / 1000;
const timestamp = (zone: string): OrcParts => ({
  ...one(
    [[1, KIND.timestamp]],
    [DATA, 1, steps(Date.UTC(2015, 6, 1, 16) / 1000 - NEW_YORK, 0)],
    [SECONDARY, 1, steps((5 << 3) | 7, 0, { isSigned: false })],
  ),
  zone,
});

const OTHER_WRITERS: readonly HostileFile[] = [
  right('an ORC file put together by hand', TEXTS, TEXT_ROWS),
  right('the same, packed five bytes at a time', { ...TEXTS, packedBytes: 5 }, TEXT_ROWS),
  right('ORC times written in New York', timestamp('America/New_York'), { columns: ['a TIMESTAMP'], rows: [['2015-07-01 12:00:00.5']] }),
  right(
    'ORC days as Java counts them',
    { ...one([[1, KIND.date]], [DATA, 1, steps(-719_164, 719_164, { length: 2 })]), rows: 2 },
    { columns: ['a DATE'], rows: [['0001-01-01'], ['1970-01-01']] },
  ),
  right(
    'ORC days as everybody else counts them',
    { ...one([[1, KIND.date]], [DATA, 1, steps(-719_162, 0)]), footer: [[11, 2]] },
    { columns: ['a DATE'], rows: [['0001-01-01']] },
  ),
  right('an ORC decimal of a scale of its own', decimal(10, 15, 1), { columns: ['a DECIMAL'], rows: [['1.50']] }),
  right(
    'an ORC union',
    {
      types: [row('a'), parent(KIND.union, 2, 3), [[1, KIND.int]], [[1, KIND.string]]],
      streams: [
        [PRESENT, 1, [0xff, 0xc0]],
        [DATA, 1, [0xfe, 1, 0]],
        [DATA, 2, steps(-7, 0)],
        [DATA, 3, Buffer.from('x')],
        [LENGTH, 3, small(1)],
      ],
      rows: 3,
    },
    { columns: ['a OTHER'], rows: [['"x"'], ['-7'], [null]] },
  ),
  right(
    'ORC texts of fixed and of limited length',
    {
      types: [row('a', 'b'), [[1, KIND.char]], [[1, KIND.varchar]]],
      streams: [
        [DATA, 1, Buffer.from('ab  ')],
        [LENGTH, 1, small(4)],
        [DATA, 2, Buffer.from('ab')],
        [LENGTH, 2, small(2)],
      ],
      rows: 1,
    },
    { columns: ['a STRING', 'b STRING'], rows: [['ab  ', 'ab']] },
  ),
  right('an ORC file without rows', { ...TEXTS, streams: [], rows: 0 }, { ...TEXT_ROWS, rows: [] }),
  right(
    'two ORC columns of one name',
    { types: [row('aa', 'aa'), [[1, KIND.int]], [[1, KIND.int]]], streams: [1, 2].map((id) => [DATA, id, steps(id, 0)]), rows: 1 },
    { columns: ['aa INTEGER', 'aa_1 INTEGER'], rows: [['1', '2']] },
  ),
  right(
    'an ORC file that begins like a text',
    one([[1, KIND.string]], [DATA, 1, Buffer.alloc(5000, 'x')], [LENGTH, 1, steps(5000, 0, { isSigned: false })]),
    { columns: ['a STRING'], rows: [['x'.repeat(5000)]] },
  ),
  {
    kind: 'a text that begins like ORC',
    name: 'a.csv',
    content: 'ORCID,name\n1,a\n2,b\n',
    expected: {
      columns: ['ORCID INTEGER', 'name STRING'],
      rows: [
        ['1', 'a'],
        ['2', 'b'],
      ],
    },
  },
];

const DAMAGED: readonly HostileFile[] = [
  ...(
    [
      ['the beginning of an ORC file', 'ORC\n\u0001\u0002'],
      ['an ORC file that was cut', NUMBERS.subarray(0, -1000)],
      ['an ORC file without its last byte', NUMBERS.subarray(0, -1)],
    ] as const
  ).map(([kind, content]) => ({ kind, name: 'a.orc', content, expected: { refused: /is truncated: the end mark of an ORC file/ } })),
  {
    kind: 'nothing but the marks of an ORC file',
    name: 'a.orc',
    content: 'ORC\0\0ORC\u0003',
    expected: { refused: /damaged or truncated/ },
  },
  { kind: 'an ORC file whose middle is damaged', name: 'a.orc', content: overwritten(NUMBERS), expected: { refused: /damaged/ } },
  { kind: 'an ORC file in gzip', name: 'a.orc.gz', content: gzipSync(NUMBERS), expected: { refused: /is an ORC file inside gzip/ } },
  refused('an ORC stripe behind the end', { ...TEXTS, stripe: [[1, 1_000_000]] }, /damaged/),
  refused('an ORC stripe that comes a thousand times', { ...TEXTS, stripes: 1000 }, /damaged/),
  refused('ORC streams that are longer than their stripe', { ...TEXTS, stripe: [[3, 10]] }, /damaged/),
  refused('two ORC streams of one kind', { ...TEXTS, streams: [...TEXTS.streams, ...TEXTS.streams.slice(0, 1)] }, /damaged/),
  refused('more ORC rows than there are', { ...TEXTS, rows: 3 }, /damaged/),
  refused('fewer ORC rows than there are', { ...TEXTS, rows: 1 }, /damaged/),
  refused('an ORC file that says otherwise than its stripes', { ...TEXTS, footer: [[6, 5]] }, /damaged/),
  refused('an ORC column without its stream', { ...TEXTS, streams: TEXTS.streams.slice(1) }, /damaged/),
  refused('ORC columns that do not say how they are encoded', { ...TEXTS, encodings: [] }, /damaged/),
  refused('an ORC footer that begins before the file', { ...TEXTS, postscript: [[1, 10_000]] }, /damaged/),
  refused('an ORC integer that is too large for its type', one([[1, KIND.int]], [DATA, 1, steps(2 ** 31, 0)]), /damaged/),
  refused('an ORC decimal of more digits than it says', decimal(4, 12_345, 2), /damaged/),
  refused('an ORC decimal of a scale beyond all bounds', decimal(10, 1, -(10 ** 9)), /damaged/),
  refused('an ORC text that is no UTF-8', one([[1, KIND.string]], [DATA, 1, [0xff, 0xfe]], [LENGTH, 1, small(2)]), /not valid UTF-8/),
  refused('an ORC type that holds itself', { ...list(1), types: [row('a'), parent(KIND.list, 1)] }, /damaged/),
  refused('an ORC type that is not there', { ...list(1), types: [row('a'), parent(KIND.list, 9)] }, /damaged/),
  refused(
    'ORC types that are nested a hundred deep',
    list(1, ...Array.from({ length: 100 }, (_, at) => parent(KIND.list, at + 3))),
    /64 deep/,
  ),
];

const BOMBS: readonly HostileFile[] = [
  refused('an ORC list of a million million nothings', list(2 ** 40, parent(KIND.struct)), /a list of 1099511627776 values; the limit is/),
  refused(
    'an ORC text of a million million bytes',
    one([[1, KIND.string]], [LENGTH, 1, steps(2 ** 40, 0, { isSigned: false })]),
    /holds a row of more than/,
  ),
  refused(
    'an ORC dictionary of a thousand million texts',
    {
      ...one([[1, KIND.string]], [DICTIONARY, 1, [97]], [LENGTH, 1, small(1)], [DATA, 1, small(0)]),
      encodings: [
        [],
        [
          [1, 3],
          [2, 2 ** 30],
        ],
      ],
    },
    /damaged/,
  ),
  refused(
    'an ORC chunk that unpacks to more than it may',
    {
      ...one([[1, KIND.string]], [DATA, 1, Buffer.alloc(200_000, 'x')], [LENGTH, 1, steps(200_000, 0, { isSigned: false })]),
      packedBytes: 200_000,
    },
    /unpacks to more than the limit of 65536 bytes/,
  ),
  refused(
    'ORC chunks of a gigabyte',
    {
      ...TEXTS,
      postscript: [
        [2, 1],
        [3, 2 ** 30],
      ],
    },
    /packs 1073741824 bytes at a time; the limit is/,
  ),
  refused('an ORC footer of a terabyte', { ...TEXTS, postscript: [[1, 2 ** 40]] }, /a footer of 1099511627776 bytes; the limit is/),
  refused('an ORC stripe with a footer of a terabyte', { ...TEXTS, stripe: [[4, 2 ** 40]] }, /damaged/),
];

const NOT_READ: readonly HostileFile[] = [
  refused('ORC with encrypted columns', { ...TEXTS, footer: [[10, message()]] }, /has encrypted columns, which are not supported/),
  refused(
    'ORC of a later version',
    { ...TEXTS, version: [2, 0] },
    /is of the ORC version 2.0, which is not supported; expected 0.11 or 0.12/,
  ),
  refused(
    'ORC that packs with LZO',
    { ...TEXTS, postscript: [[2, 3]] },
    /the codec lzo, which is not supported; expected none, zlib, snappy, lz4, zstd/,
  ),
  refused('ORC that packs with nobody knows what', { ...TEXTS, postscript: [[2, 99]] }, /packed with the codec 99, which is not supported/),
  refused('an ORC column of shapes', one([[1, 19]]), /the column a of the ORC type geometry, which is not supported/),
  refused('an ORC column of nobody knows what', one([[1, 99]]), /the column a of the ORC type 99, which is not supported/),
  refused('an ORC decimal without a precision', decimal(0, 15, 1), /the column a of the ORC type decimal without a precision/),
  refused('ORC rows that are numbers', { ...TEXTS, types: [[[1, KIND.bigint]]] }, /has rows that are not structs but of the type bigint/),
  refused('ORC times written on Mars', timestamp('Mars/Olympus'), /the time zone "Mars\/Olympus", which is not known/),
  refused(
    'an ORC map with a key that is null',
    {
      types: [row('a'), parent(KIND.map, 2, 3), [[1, KIND.string]], [[1, KIND.int]]],
      streams: [
        [LENGTH, 1, small(1)],
        [PRESENT, 2, [0xff, 0]],
        [DATA, 3, steps(1, 0)],
      ],
      rows: 1,
    },
    /a map with a key that is null, which is not supported/,
  ),
];

/** Runs of 512 that a few bytes say, a thousand times as much on the disk. */
const RUNS = 2000;
const MANY_ROWS = 512 * RUNS;
const LONG_TEXT = Buffer.alloc(2 ** 16, 'x');
export const ORC_BOMBS = [
  [
    'a million integers',
    orcFile({ ...one([[1, KIND.bigint]], [DATA, 1, Buffer.alloc(4 * RUNS, steps(0, 1, { length: 512 }))]), rows: MANY_ROWS }),
  ],
  [
    'a million long texts',
    orcFile({
      ...one(
        [[1, KIND.string]],
        [DICTIONARY, 1, LONG_TEXT],
        [LENGTH, 1, steps(LONG_TEXT.length, 0, { isSigned: false })],
        [DATA, 1, Buffer.alloc(4 * RUNS, steps(0, 0, { length: 512 }))],
      ),
      encodings: [
        [],
        [
          [1, 3],
          [2, 1],
        ],
      ],
      rows: MANY_ROWS,
    }),
  ],
] as const;

export const HOSTILE_ORC: readonly HostileFile[] = [...WRITTEN, ...OTHER_WRITERS, ...DAMAGED, ...BOMBS, ...NOT_READ];

function right(kind: string, parts: OrcParts, expected: Right): HostileFile {
  return { kind, name: 'a.orc', content: orcFile(parts), expected };
}

function refused(kind: string, parts: OrcParts, sentence: RegExp): HostileFile {
  return { kind, name: 'a.orc', content: orcFile(parts), expected: { refused: sentence } };
}

/** Some of the streams, but neither the beginning nor the footers. */
function overwritten(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0x55, 100, copy.length >> 1);
  return copy;
}
