// SPDX-License-Identifier: Apache-2.0
/** Recognises a file's format, compression and encoding, and describes its columns: from what was said, from its first bytes, from its name. */
import type { DataType, Encoding, Reading } from '@sextant/contracts-observability';
import { type AssetLocation, type FileFormat, type FoundColumn, SourceError, type VectorColumns } from '../connector.ts';
import { optionalFlag, optionalText, type Payload } from '../payload.ts';
import type { ByteSource } from './byte-source.ts';
import { type ColumnarFormat, columnarFormat, columnarFormatOf, describeColumnar } from './columnar/columnar.ts';
import { type Compression, compressionOf, unpackedSample } from './compression.ts';
import { columnOf, recogniseDelimited } from './delimited.ts';
import { decodeSample, detectEncoding } from './encoding.ts';
import { afterPath, jsonColumns, jsonRecords, recordsPath } from './json-records.ts';
import { PARQUET_MAGIC, parquetColumns } from './parquet.ts';
import { refuseMarkup, refuseUnread } from './refused-formats.ts';
import { requireVectorColumns, vectorColumnsOf } from './vector-columns.ts';
import { describeSheet, isWorkbook } from './workbook.ts';
import { SHEET_SEPARATOR } from './workbook-text.ts';

export type FormatHints = {
  readonly fileType?: FileType;
  /** What is known of the reading; the rest is found. */
  readonly reading: Reading;
  /** Of rows that are points. */
  readonly vectors?: VectorColumns;
};

export type RecognisedFile = {
  readonly format: FileFormat;
  readonly compression: Compression;
  readonly encoding: Encoding;
  readonly columns: readonly FoundColumn[];
  /** Undefined where the format says all. */
  readonly reading: Reading | undefined;
  /** Whether rows of text end in more than one way. */
  readonly hasMixedEnds?: boolean;
  /** Of a workbook, whose text is that of this sheet. */
  readonly sheet?: string;
  /** What it is written as Parquet from. */
  readonly columnar?: ColumnarFormat;
  readonly vectors?: VectorColumns;
  /** Why no other engine would read it as this service does; undefined where Spark does. */
  readonly onlyHere?: string;
};

export const FILE_TYPES = ['CSV', 'TSV', 'NDJSON', 'JSON', 'PARQUET', 'ARROW', 'AVRO', 'ORC', 'NPY', 'XLSX'] as const;
export type FileType = (typeof FILE_TYPES)[number];

const TEXTS: ReadonlySet<FileType> = new Set(['CSV', 'TSV', 'NDJSON', 'JSON']);
const COLUMNAR_NAMES = { arrow: 'an Arrow', avro: 'an Avro', orc: 'an ORC', npy: 'a NumPy' } satisfies {
  readonly [format in ColumnarFormat]: string;
};

const NOT_PARQUET = 'only Parquet files say by themselves how they are read';

/** Enough for a thousand rows of ordinary width. */
const SAMPLE_BYTES = 262_144;

const EXTENSIONS: ReadonlyMap<string, FileType> = new Map([
  ['csv', 'CSV'],
  ['tsv', 'TSV'],
  ['tab', 'TSV'],
  ['ndjson', 'NDJSON'],
  ['jsonl', 'NDJSON'],
  ['json', 'JSON'],
  ['parquet', 'PARQUET'],
  ['arrow', 'ARROW'],
  ['feather', 'ARROW'],
  ['ipc', 'ARROW'],
  ['avro', 'AVRO'],
  ['orc', 'ORC'],
  ['npy', 'NPY'],
  ['xlsx', 'XLSX'],
  ['xlsm', 'XLSX'],
]);

/** The hints in an asset's payload and options; throws a `SourceError` where they make no sense. */
export function formatHints({ payload, separator, reading = {} }: AssetLocation): FormatHints {
  const header = optionalFlag(payload, 'header');
  const fileType = fileTypeOf(payload);
  const vectors = vectorColumnsOf(payload);
  if (separator !== undefined && (separator.length !== 1 || /["\r\n\0]/.test(separator))) {
    throw new SourceError('options.separator must be one character that is neither a quote nor a line end', {
      member: 'options.separator',
    });
  }
  return {
    ...(fileType && { fileType }),
    ...(vectors && { vectors }),
    reading: { ...reading, ...(separator !== undefined && { separator }), ...(header !== undefined && { header }) },
  };
}

function fileTypeOf(payload: Payload): FileType | undefined {
  const text = optionalText(payload, 'file_type', FILE_TYPES.join(', '))?.toUpperCase();
  if (text === undefined) return undefined;
  const known = FILE_TYPES.find((type) => type === text);
  if (known !== undefined) return known;
  throw new SourceError(`payload.file_type ${text} cannot be read; expected one of ${FILE_TYPES.join(', ')}`, {
    member: 'payload.file_type',
  });
}

export async function recogniseFile(source: ByteSource, hints: FormatHints): Promise<RecognisedFile> {
  const found = await recogniseFormat(source, hints);
  const { vectors } = hints;
  if (vectors === undefined) return found;
  if (found.format.kind !== 'parquet') {
    throw new SourceError(`${source.name} is text; vectors can be read only from Parquet, Arrow, Avro, ORC and NumPy files`, {
      member: 'payload.vectors',
    });
  }
  requireVectorColumns(vectors, found.columns);
  return { ...found, vectors };
}

async function recogniseFormat(source: ByteSource, hints: FormatHints): Promise<RecognisedFile> {
  const head = await source.slice(0, Math.min(SAMPLE_BYTES, source.bytes));
  if (await isWorkbook(source, head)) return recogniseWorkbook(source, hints);
  const columnar = await columnarFormatOf(source, head);
  if (columnar !== undefined) return recogniseColumnar(source, columnar, hints);
  refuseUnread(head, source.name);
  const compression = compressionOf(head);
  const sample = await unpackedSample(head, compression, source.name);
  if (startsWithText(sample, PARQUET_MAGIC)) {
    if (hints.fileType !== undefined && hints.fileType !== 'PARQUET') throw notOfType(source.name, hints.fileType);
    if (compression !== 'none') throw packed(source.name, 'a Parquet', compression);
    const found = await parquetColumns(source);
    const foreign = found.find(({ isPlain }) => !isPlain);
    const onlyHere = foreign && `column ${foreign.name} has a type that Spark reads as another`;
    const columns = found.map(({ isPlain: _plain, ...column }) => column);
    return { format: { kind: 'parquet' }, compression, encoding: 'UTF-8', columns, reading: undefined, ...(onlyHere && { onlyHere }) };
  }
  const inside = columnarFormat(sample);
  if (inside !== undefined) throw packed(source.name, COLUMNAR_NAMES[inside], compression);
  const fileType = hints.fileType ?? extensionType(source.name);
  if (fileType !== undefined && !TEXTS.has(fileType)) throw notOfType(source.name, fileType);
  const encoding = detectEncoding(sample, hints.reading.encoding);
  const text = decodeSample(sample, encoding);
  refuseMarkup(text, source.name);
  const isWhole = source.bytes <= head.length && compression === 'none';
  return {
    compression,
    encoding,
    onlyHere: NOT_PARQUET,
    ...recogniseText(isWhole ? `${text}\n` : text, fileType, { ...hints.reading, encoding }),
  };
}

async function recogniseColumnar(source: ByteSource, columnar: ColumnarFormat, { fileType }: FormatHints): Promise<RecognisedFile> {
  if (fileType !== undefined && fileType !== columnar.toUpperCase()) throw notOfType(source.name, fileType);
  const columns = await describeColumnar(source, columnar);
  return {
    format: { kind: 'parquet' },
    compression: 'none',
    encoding: 'UTF-8',
    columns,
    reading: undefined,
    columnar,
    onlyHere: NOT_PARQUET,
  };
}

async function recogniseWorkbook(source: ByteSource, { fileType, reading }: FormatHints): Promise<RecognisedFile> {
  if (fileType !== undefined && fileType !== 'XLSX') throw notOfType(source.name, fileType);
  const { sheet, sample, textColumns } = await describeSheet(source, reading.sheet);
  const { types = {}, ...given } = reading;
  const layout = { ...given, encoding: 'UTF-8', separator: SHEET_SEPARATOR, quote: '"', escape: '"', comment: '' } as const;
  const { columns } = recogniseText(sample, 'CSV', layout);
  const texts = columns.flatMap(({ name }, index) => (textColumns.includes(index) ? [[name, 'STRING'] as const] : []));
  const recognised = recogniseText(sample, 'CSV', { ...layout, types: { ...Object.fromEntries(texts), ...types } });
  return { ...recognised, compression: 'none', encoding: 'UTF-8', reading: { ...recognised.reading, sheet }, sheet };
}

type RecognisedText = Pick<RecognisedFile, 'format' | 'columns' | 'reading' | 'hasMixedEnds'>;

function recogniseText(text: string, fileType: FileType | undefined, { types = {}, ...given }: Reading): RecognisedText {
  const { encoding = 'UTF-8', records_path, sheet: _ofWorkbook, ...layout } = given;
  const chosen = Object.keys(types).length === 0 ? {} : { types };
  const chosenTypes = (columns: readonly FoundColumn[]) =>
    columns.map((column) => (Object.hasOwn(types, column.name) ? withType(column, types[column.name]) : column));
  const first = text.trimStart()[0];
  if (fileType === 'JSON' || fileType === 'NDJSON' || (fileType === undefined && (first === '{' || first === '['))) {
    const format = jsonFormat(text, fileType, records_path);
    const path = format.kind === 'json' ? format.recordsPath : '';
    return {
      format,
      columns: chosenTypes(jsonColumns(jsonRecords(path === '' ? text : afterPath(text, path)))),
      reading: { encoding, records_path: path, ...chosen },
    };
  }
  const separator = layout.separator ?? (fileType === 'TSV' ? '\t' : undefined);
  const { reading, columns, hasMixedEnds } = recogniseDelimited(text, {
    ...layout,
    encoding,
    ...(separator !== undefined && { separator }),
  });
  return {
    format: { kind: 'delimited', reading },
    columns: chosenTypes(columns),
    reading: { ...reading, ...chosen },
    ...(hasMixedEnds && { hasMixedEnds }),
  };
}

function withType(column: FoundColumn, chosen: DataType | undefined): FoundColumn {
  return chosen === undefined ? column : { ...column, ...columnOf(column.name, chosen) };
}

/** An array says what it is; objects one after the other are read line by line where each has its line. */
function jsonFormat(
  text: string,
  fileType: FileType | undefined,
  given: string | undefined,
): FileFormat & { readonly kind: 'json' | 'ndjson' } {
  const isArray = text.trimStart()[0] === '[';
  const isOneObject = !isArray && fileType !== 'NDJSON' && jsonRecords(text).length <= 1;
  const recordsIn = given ?? (isOneObject ? recordsPath(text) : undefined) ?? '';
  if (recordsIn !== '') return { kind: 'json', recordsPath: recordsIn };
  return isArray || (fileType === 'JSON' && !hasRecordPerLine(text)) ? { kind: 'json', recordsPath: '' } : { kind: 'ndjson' };
}

function hasRecordPerLine(text: string): boolean {
  const [line = ''] = text.trimStart().split('\n', 1);
  return jsonRecords(line).length === 1;
}

function extensionType(name: string): FileType | undefined {
  const extension = /\.([a-z]+)(\.(gz|zst))?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return EXTENSIONS.get(extension);
}

function startsWithText(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}

/** Such files are not read from their beginning alone, and pack what they hold themselves. */
function packed(name: string, format: string, compression: Compression): SourceError {
  return new SourceError(`${name} is ${format} file inside ${compression}; store it without ${compression}`, { member: 'payload.path' });
}

function notOfType(name: string, type: FileType): SourceError {
  return new SourceError(`${name} does not hold ${type}`, { member: 'payload.file_type' });
}
