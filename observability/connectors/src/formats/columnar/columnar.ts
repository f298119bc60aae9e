// SPDX-License-Identifier: Apache-2.0
/** Arrow, Avro, ORC and NumPy files. Their types are certain, so they become Parquet and not text; hostile ones end with the thread that reads them. */
import { type Column, SourceError } from '../../connector.ts';
import type { ByteSource } from '../byte-source.ts';
import { NPY_MAGIC } from '../fixed-width/npy.ts';
import { askThread } from '../format-thread.ts';
import type { ColumnarAnswer, ColumnarFormat, ColumnarRequest } from './columnar-thread.ts';
import { dataTypeOf, SCHEMA_BYTES_MAX, sourceTypeOf } from './table.ts';

export type { ColumnarFormat } from './columnar-thread.ts';

const ARROW_FILE = 'ARROW1';
/** A message begins with it, and a stream ends with a message of no bytes. */
const ARROW_STREAM = '\u00ff\u00ff\u00ff\u00ff';
const ARROW_STREAM_END = '\u00ff\u00ff\u00ff\u00ff\u0000\u0000\u0000\u0000';
const AVRO_FILE = 'Obj\u0001';
/** A file begins with it, and it stands before the last byte. A text may begin so, too: `ORCID,name`. */
const ORC_FILE = 'ORC';
/** In which a file that is cut has bytes that no text has. One of them some texts have between their columns. */
const ORC_HEAD_BYTES = 4096;
const isBinary = (byte: number): boolean => byte < 0x09 && byte !== 0x01;
const THREAD = new URL('./columnar-thread.ts', import.meta.url);

export function columnarFormat(head: Uint8Array): ColumnarFormat | undefined {
  const text = latin1(head.subarray(0, 8));
  if (text.startsWith(ARROW_FILE) || text.startsWith(ARROW_STREAM)) return 'arrow';
  if (text.startsWith(AVRO_FILE)) return 'avro';
  if (text.startsWith(NPY_MAGIC)) return 'npy';
  const isOrc = text.startsWith(ORC_FILE) && head.subarray(0, ORC_HEAD_BYTES).some(isBinary);
  return isOrc ? 'orc' : undefined;
}

/** Of a whole file, which may show what it is at its end alone. */
export async function columnarFormatOf(source: ByteSource, head: Uint8Array): Promise<ColumnarFormat | undefined> {
  const format = columnarFormat(head);
  if (format !== undefined || latin1(head.subarray(0, ORC_FILE.length)) !== ORC_FILE) return format;
  const end = await source.slice(Math.max(0, source.bytes - 1 - ORC_FILE.length), source.bytes);
  return latin1(end.subarray(0, -1)) === ORC_FILE ? 'orc' : undefined;
}

export async function describeColumnar(source: ByteSource, format: ColumnarFormat): Promise<readonly Column[]> {
  const head = await source.slice(0, Math.min(SCHEMA_BYTES_MAX, source.bytes));
  const tail = await source.slice(Math.max(0, source.bytes - SCHEMA_BYTES_MAX), source.bytes);
  if (format === 'arrow') assertArrowEnd(source.name, head, tail);
  return ask(source, { kind: 'describe', format, head, tail });
}

export type ColumnarWriting = { readonly target: string; readonly bytesMax: number; readonly signal: AbortSignal };

/** Writes the rows as Parquet. */
export async function writeColumnar(
  source: ByteSource & { readonly path: string },
  format: ColumnarFormat,
  { target, bytesMax, signal }: ColumnarWriting,
): Promise<void> {
  await ask(source, { kind: 'write', format, path: source.path, target, bytesMax }, signal);
}

/** A file says its end twice, a stream need not; but whoever writes one says it, and without it nobody knows whether there was more. */
function assertArrowEnd(name: string, head: Uint8Array, tail: Uint8Array): void {
  const end = latin1(head.subarray(0, ARROW_FILE.length)) === ARROW_FILE ? ARROW_FILE : ARROW_STREAM_END;
  if (latin1(tail.subarray(-end.length)) !== end || tail.length < 2 * end.length)
    throw refused(name, 'is truncated: the end mark of an Arrow file is missing');
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

async function ask({ name, folder }: ByteSource, request: ColumnarRequest, signal?: AbortSignal): Promise<readonly Column[]> {
  const thread = {
    module: THREAD,
    request,
    folder,
    name,
    formats: 'Arrow, Avro, ORC and NumPy files',
    instead: 'write it as Parquet',
    ...(signal && { signal }),
  };
  const answer = await askThread<ColumnarRequest, ColumnarAnswer>(thread);
  if (answer.kind === 'refused') throw refused(name, answer.reason);
  return answer.columns.map((column) => ({
    name: column.name,
    source_type: sourceTypeOf(column.type),
    data_type: dataTypeOf(column.type),
  }));
}

function refused(name: string, reason: string): SourceError {
  return new SourceError(`${name} ${reason}`, { member: 'payload.path' });
}
