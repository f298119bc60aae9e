// SPDX-License-Identifier: Apache-2.0
/** Arrow and Avro files, whole and damaged, as their own libraries write them. */
import { zstdCompressSync } from 'node:zlib';
import {
  Bool,
  CompressionType,
  compressionRegistry,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  IntervalYearMonth,
  List,
  makeData,
  makeVector,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Struct,
  Table,
  TimestampMicrosecond,
  Uint64,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { avroFile, flippedLast, longZeros } from './avro-files.ts';
import { type HostileFile, NAMES, TEXT_ROWS } from './hostile-file.ts';

compressionRegistry.set(CompressionType.ZSTD, { encode: (bytes) => zstdCompressSync(bytes) });

compressionRegistry.set(CompressionType.LZ4_FRAME, { encode: lz4Stored });

type Layout = { readonly stream?: boolean; readonly compressionType?: CompressionType };

function arrow(columns: { readonly [name: string]: Vector }, { stream = false, compressionType }: Layout = {}): Buffer {
  const options = { autoDestroy: true, compressionType: compressionType ?? null };
  const writer = stream ? new RecordBatchStreamWriter(options) : new RecordBatchFileWriter(options);
  return Buffer.from(writer.writeAll(new Table(columns)).toUint8Array(true));
}

const TEXTS = { id: vectorFromArray([1n, 2n], new Int64()), name: vectorFromArray(['Żółw', null], new Utf8()) };
const PLAIN = arrow(TEXTS);
const STREAM = arrow(TEXTS, { stream: true });
const MANY_ROWS = 10_000;
const MANY = arrow({
  id: vectorFromArray(
    Array.from({ length: MANY_ROWS }, (_, row) => row),
    new Int32(),
  ),
  name: vectorFromArray(
    Array.from({ length: MANY_ROWS }, (_, row) => `value ${row % 7}`),
    new Dictionary(new Utf8(), new Int32()),
  ),
});

/** Of every type that Feather files of tables have; nothing of it looks like what it is. */
const TYPES = arrow({
  code: vectorFromArray(['01234', '10115'], new Utf8()),
  wide: makeVector({ type: new Uint64(), data: new BigUint64Array([18_446_744_073_709_551_615n, 0n]) }),
  price: makeVector({
    type: new Decimal(2, 10, 128),
    data: new Uint32Array([12_345, 0, 0, 0, 0xff_ff_ff_ff, 0xff_ff_ff_ff, 0xff_ff_ff_ff, 0xff_ff_ff_ff]),
  }),
  day: makeVector({ type: new DateDay(), data: new Int32Array([20_484, -1]) }),
  at: makeVector({ type: new TimestampMicrosecond(), data: new BigInt64Array([1_769_854_500_123_456n, -1n]) }),
  paid: vectorFromArray([true, null], new Bool()),
  share: vectorFromArray([0.1, Number.NaN], new Float64()),
  tags: vectorFromArray([['a', 'b'], []], new List(new Field('item', new Utf8(), true))),
  place: vectorFromArray(
    [{ city: 'Köln', zip: 50_667 }, null],
    new Struct([new Field('city', new Utf8(), true), new Field('zip', new Int32(), true)]),
  ),
});

const ARROW: readonly HostileFile[] = [
  { kind: 'an Arrow file', name: 'a.feather', content: PLAIN, expected: TEXT_ROWS },
  { kind: 'an Arrow stream', name: 'a.arrow', content: STREAM, expected: TEXT_ROWS },
  { kind: 'an Arrow file of another name', name: 'a.csv', content: PLAIN, expected: TEXT_ROWS },
  {
    kind: 'Arrow columns of many types',
    name: 'a.arrow',
    content: TYPES,
    expected: {
      columns: [
        'code STRING',
        'wide INTEGER',
        'price DECIMAL',
        'day DATE',
        'at TIMESTAMP',
        'paid BOOLEAN',
        'share DECIMAL',
        'tags OTHER',
        'place OTHER',
      ],
      rows: [
        [
          '01234',
          '18446744073709551615',
          '123.45',
          '2026-01-31',
          '2026-01-31 10:15:00.123456',
          'true',
          '0.1',
          '["a","b"]',
          '{"city":"Köln","zip":50667}',
        ],
        ['10115', '0', '-0.01', '1969-12-31', '1969-12-31 23:59:59.999999', null, 'nan', '[]', null],
      ],
    },
  },
  {
    kind: 'many Arrow rows with a dictionary',
    name: 'a.arrow',
    content: MANY,
    expected: { columns: NAMES, rows: Array.from({ length: MANY_ROWS }, (_, row) => [String(row), `value ${row % 7}`]) },
  },
  {
    kind: 'Arrow that packs with zstd',
    name: 'a.arrow',
    content: arrow(TEXTS, { compressionType: CompressionType.ZSTD }),
    expected: TEXT_ROWS,
  },
  {
    kind: 'Arrow that packs with LZ4',
    name: 'a.feather',
    content: arrow(TEXTS, { compressionType: CompressionType.LZ4_FRAME }),
    expected: TEXT_ROWS,
  },
  {
    kind: 'two Arrow columns of one name',
    name: 'a.arrow',
    content: renamed(arrow({ aa: vectorFromArray([1], new Int32()), bb: vectorFromArray([2], new Int32()) }), 'bb', 'aa'),
    expected: { columns: ['aa INTEGER', 'aa_1 INTEGER'], rows: [['1', '2']] },
  },
  {
    kind: 'an Arrow file without rows',
    name: 'a.arrow',
    content: arrow({ id: vectorFromArray([], new Int32()) }),
    expected: { columns: ['id INTEGER'], rows: [] },
  },
  { kind: 'an Arrow file that was cut', name: 'a.arrow', content: MANY.subarray(0, -1000), expected: { refused: /is truncated/ } },
  { kind: 'an Arrow file without its last byte', name: 'a.arrow', content: PLAIN.subarray(0, -1), expected: { refused: /is truncated/ } },
  { kind: 'an Arrow stream that was cut', name: 'a.arrow', content: STREAM.subarray(0, -40), expected: { refused: /is truncated/ } },
  {
    kind: 'an Arrow stream that was cut between its batches',
    name: 'a.arrow',
    content: STREAM.subarray(0, -8),
    expected: { refused: /is truncated/ },
  },
  { kind: 'nothing but the marks of an Arrow file', name: 'a.arrow', content: 'ARROW1\0\0ARROW1', expected: { refused: /damaged|cut/ } },
  { kind: 'an Arrow file whose middle is damaged', name: 'a.arrow', content: overwritten(MANY), expected: { refused: /damaged|cut/ } },
  { kind: 'Arrow offsets that lead out of the file', name: 'a.arrow', content: outOfRange(), expected: { refused: /damaged/ } },
  {
    kind: 'an Arrow text that is no UTF-8',
    name: 'a.arrow',
    content: replaced(PLAIN, 'Żółw', Buffer.from('\xff\xfe\xff\xfe\xff\xfe\xff', 'latin1')),
    expected: { refused: /not valid UTF-8/ },
  },
  { kind: 'Arrow that unpacks to gigabytes', name: 'a.arrow', content: bomb(), expected: { refused: /unpacks to more than the limit/ } },
  {
    kind: 'an Arrow type that SQL has not',
    name: 'a.arrow',
    content: arrow({ span: makeVector({ type: new IntervalYearMonth(), data: new Int32Array([1]) }) }),
    expected: { refused: /the column span of the Arrow type Interval.*is not supported/ },
  },
];

const AVRO_FIELDS: Parameters<typeof avroFile>[0] = [
  { name: 'id', type: 'long' },
  { name: 'name', type: ['null', 'string'] },
];
const AVRO_ROWS = [
  { id: 1, name: 'Żółw' },
  { id: 2, name: null },
];
const AVRO = await avroFile(AVRO_FIELDS, AVRO_ROWS);
const MANY_AVRO = await avroFile(
  AVRO_FIELDS,
  Array.from({ length: MANY_ROWS }, (_, row) => ({ id: row, name: `value ${row % 7}` })),
);

const AVRO_FILES: readonly HostileFile[] = [
  { kind: 'an Avro file', name: 'a.avro', content: AVRO, expected: TEXT_ROWS },
  { kind: 'an Avro file of another name', name: 'a.json', content: AVRO, expected: TEXT_ROWS },
  ...(await Promise.all(
    (['deflate', 'snappy', 'zstandard'] as const).map(async (codec) => ({
      kind: `Avro that packs with ${codec}`,
      name: 'a.avro',
      content: await avroFile(AVRO_FIELDS, AVRO_ROWS, codec),
      expected: TEXT_ROWS,
    })),
  )),
  {
    kind: 'many Avro rows',
    name: 'a.avro',
    content: MANY_AVRO,
    expected: { columns: NAMES, rows: Array.from({ length: MANY_ROWS }, (_, row) => [String(row), `value ${row % 7}`]) },
  },
  {
    kind: 'Avro columns of many types',
    name: 'a.avro',
    content: await avroFile(
      [
        { name: 'code', type: 'string' },
        { name: 'day', type: { type: 'int', logicalType: 'date' } },
        { name: 'at', type: { type: 'long', logicalType: 'local-timestamp-millis' } },
        { name: 'price', type: { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 } },
        { name: 'kind', type: { type: 'enum', name: 'kind', symbols: ['A', 'B'] } },
        { name: 'share', type: 'double' },
        { name: 'any', type: ['null', 'int', 'string'] },
        { name: 'tags', type: { type: 'array', items: 'string' } },
        { name: 'place', type: { type: 'record', name: 'place', fields: [{ name: 'city', type: 'string' }] } },
      ],
      [
        {
          code: '01234',
          day: 20_484,
          at: 1_769_854_500_123,
          price: Buffer.from('3039', 'hex'),
          kind: 'B',
          share: 0.1,
          any: 'x',
          tags: ['a', 'b'],
          place: { city: 'Köln' },
        },
        { code: '10115', day: -1, at: -1, price: Buffer.from('ff', 'hex'), kind: 'A', share: 2, any: 7, tags: [], place: { city: '' } },
      ],
    ),
    expected: {
      columns: [
        'code STRING',
        'day DATE',
        'at TIMESTAMP',
        'price DECIMAL',
        'kind STRING',
        'share DECIMAL',
        'any OTHER',
        'tags OTHER',
        'place OTHER',
      ],
      rows: [
        ['01234', '2026-01-31', '2026-01-31 10:15:00.123', '123.45', 'B', '0.1', '"x"', '["a","b"]', '{"city":"Köln"}'],
        ['10115', '1969-12-31', '1969-12-31 23:59:59.999', '-0.01', 'A', '2.0', '7', '[]', '{"city":""}'],
      ],
    },
  },
  {
    kind: 'an Avro file that was cut',
    name: 'a.avro',
    content: MANY_AVRO.subarray(0, -1000),
    expected: { refused: /damaged or truncated/ },
  },
  {
    kind: 'an Avro file without its last byte',
    name: 'a.avro',
    content: AVRO.subarray(0, -1),
    expected: { refused: /damaged or truncated/ },
  },
  {
    kind: 'an Avro file that ends in its header',
    name: 'a.avro',
    content: AVRO.subarray(0, 60),
    expected: { refused: /damaged or truncated/ },
  },
  {
    kind: 'an Avro file with a wrong end of a block',
    name: 'a.avro',
    content: flippedLast(AVRO),
    expected: { refused: /damaged or truncated/ },
  },
  {
    kind: 'a snappy block with a wrong checksum',
    name: 'a.avro',
    content: flippedLast(await avroFile(AVRO_FIELDS, AVRO_ROWS, 'snappy'), 17),
    expected: { refused: /damaged or truncated/ },
  },
  {
    kind: 'Avro that unpacks to gigabytes',
    name: 'a.avro',
    content: await avroFile([{ name: 's', type: 'bytes' }], [{ s: longZeros() }], 'deflate'),
    expected: { refused: /unpacks to more than the limit/ },
  },
  {
    kind: 'Avro of a codec that is not read',
    name: 'a.avro',
    content: replaced(await avroFile(AVRO_FIELDS, AVRO_ROWS, 'deflate'), 'deflate', Buffer.from('bzip222')),
    expected: { refused: /packed with the codec "bzip222", which is not supported; expected null, deflate, zstandard, snappy/ },
  },
  {
    kind: 'Avro whose rows are no records',
    name: 'a.avro',
    content: await avroFile('string', ['a']),
    expected: { refused: /rows are not records but of the type string/ },
  },
];

export const HOSTILE_COLUMNAR: readonly HostileFile[] = [...ARROW, ...AVRO_FILES];

function replaced(bytes: Buffer, text: string, by: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(text); at >= 0; at = copy.indexOf(text, at + 1)) copy.set(by, at);
  return copy;
}

function renamed(bytes: Buffer, from: string, to: string): Buffer {
  return replaced(bytes, from, Buffer.from(to));
}

/** All of the batches, but not the schema before them nor the footer. */
function overwritten(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0x55, 2000, copy.length - 2000);
  return copy;
}

/** The second text ends behind all that there is. */
function outOfRange(): Buffer {
  const data = makeData({ type: new Utf8(), length: 2, valueOffsets: new Int32Array([0, 1, 1_000_000]), data: Buffer.from('ab') });
  return arrow({ name: makeVector(data) });
}

/** A frame of one block that is stored as it is, which needs no compression to be LZ4. */
function lz4Stored(bytes: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length + 2 ** 31);
  return Buffer.concat([Buffer.from('04224d18604082', 'hex'), size, bytes, Buffer.alloc(4)]);
}

function bomb(): Buffer {
  const zeros = makeVector({ type: new Int64(), data: new BigInt64Array(33 * 2 ** 20) });
  return arrow({ n: zeros }, { compressionType: CompressionType.ZSTD });
}
