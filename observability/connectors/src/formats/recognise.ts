/** Recognises a file's format, compression and encoding, and describes its columns: from what was said, from its first bytes, from its name. */
import { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { type Column, type FileFormat, SourceError } from '../connector.ts';
import { optionalFlag, optionalText, type Payload } from '../payload.ts';
import type { ByteSource } from './byte-source.ts';
import { delimitedColumns, hasHeader, parseRows, sniffSeparator } from './delimited.ts';
import { decodeSample, detectEncoding, type TextEncoding } from './encoding.ts';
import { jsonColumns, jsonRecords } from './json-records.ts';
import { PARQUET_MAGIC, parquetColumns } from './parquet.ts';

export type FormatHints = {
  readonly fileType?: FileType;
  readonly separator?: string;
  readonly header?: boolean;
};

export type RecognisedFile = {
  readonly format: FileFormat;
  readonly compression: 'none' | 'gzip';
  readonly encoding: TextEncoding;
  readonly columns: readonly Column[];
};

export const FILE_TYPES = ['CSV', 'TSV', 'NDJSON', 'JSON', 'PARQUET'] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** Enough for a thousand rows of ordinary width. */
const SAMPLE_BYTES = 262_144;
const UNPACKED_SAMPLE_BYTES = 1_048_576;

const EXTENSIONS: ReadonlyMap<string, FileType> = new Map([
  ['csv', 'CSV'],
  ['tsv', 'TSV'],
  ['tab', 'TSV'],
  ['ndjson', 'NDJSON'],
  ['jsonl', 'NDJSON'],
  ['json', 'JSON'],
  ['parquet', 'PARQUET'],
]);

/** The hints in an asset's payload and options; throws a `SourceError` where they make no sense. */
export function formatHints(payload: Payload, separator: string | undefined): FormatHints {
  const header = optionalFlag(payload, 'header');
  const fileType = fileTypeOf(payload);
  if (separator !== undefined && (separator.length !== 1 || /["\r\n\0]/.test(separator))) {
    throw new SourceError('options.separator must be one character, and no quote or line end', { member: 'options.separator' });
  }
  return { ...(fileType && { fileType }), ...(separator !== undefined && { separator }), ...(header !== undefined && { header }) };
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
  const head = await source.slice(0, Math.min(SAMPLE_BYTES, source.bytes));
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  const compression = isGzip ? 'gzip' : 'none';
  const sample = isGzip ? await gunzipSample(head, source.name) : head;
  if (startsWithText(sample, PARQUET_MAGIC)) {
    if (hints.fileType !== undefined && hints.fileType !== 'PARQUET') throw notOfType(source.name, hints.fileType);
    if (isGzip) {
      // Parquet is read from its end, and compresses its pages itself.
      throw new SourceError(`${source.name} is a Parquet file inside gzip; store it without gzip`, { member: 'payload.path' });
    }
    return { format: { kind: 'parquet' }, compression, encoding: 'utf-8', columns: await parquetColumns(source) };
  }
  const fileType = hints.fileType ?? extensionType(source.name);
  if (fileType === 'PARQUET') throw notOfType(source.name, fileType);
  const encoding = detectEncoding(sample);
  const text = decodeSample(sample);
  const whole = source.bytes <= head.length && !isGzip ? `${text}\n` : text;
  return { compression, encoding, ...recogniseText(whole, fileType, hints) };
}

function recogniseText(text: string, fileType: FileType | undefined, hints: FormatHints): Pick<RecognisedFile, 'format' | 'columns'> {
  const first = text.trimStart()[0];
  if (fileType === 'JSON' || fileType === 'NDJSON' || (fileType === undefined && (first === '{' || first === '['))) {
    // An array says what it is; objects one after the other are read line by line where each has its line.
    const kind = first === '[' || (fileType === 'JSON' && !hasRecordPerLine(text)) ? 'json' : 'ndjson';
    return { format: { kind }, columns: jsonColumns(jsonRecords(text)) };
  }
  const separator = hints.separator ?? (fileType === 'TSV' ? '\t' : sniffSeparator(text));
  const rows = parseRows(text, separator);
  const header = hints.header ?? hasHeader(rows);
  return { format: { kind: 'delimited', separator, header }, columns: delimitedColumns(rows, header) };
}

function hasRecordPerLine(text: string): boolean {
  const [line = ''] = text.trimStart().split('\n', 1);
  return jsonRecords(line).length === 1;
}

function extensionType(name: string): FileType | undefined {
  const extension = /\.([a-z]+)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return EXTENSIONS.get(extension);
}

/** The beginning of what a packed file holds; the file may be cut, and may unpack to a thousand times its size. */
async function gunzipSample(head: Uint8Array, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of Readable.from([head]).pipe(
      createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
    ) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= UNPACKED_SAMPLE_BYTES) break;
    }
  } catch (cause) {
    throw new SourceError(`${name} begins like a gzip file but cannot be unpacked`, { cause, member: 'payload.path' });
  }
  return Buffer.concat(chunks);
}

function startsWithText(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}

function notOfType(name: string, type: FileType): SourceError {
  return new SourceError(`${name} does not hold ${type}`, { member: 'payload.file_type' });
}
