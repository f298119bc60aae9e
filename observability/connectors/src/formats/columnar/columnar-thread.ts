// SPDX-License-Identifier: Apache-2.0
/** A thread that reads Arrow, Avro, ORC and NumPy files one after the other, and writes each as Parquet or answers its columns. */
import { open } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { assert } from '@sextant/foundation-std';
import { arrowColumns, openArrow } from './arrow-table.ts';
import { avroColumns, openAvro } from './avro-table.ts';
import { npyColumns, openNpy } from './npy-table.ts';
import { openOrc, orcColumns } from './orc/table.ts';
import { writeParquet } from './parquet-file.ts';
import { type TableColumn, TableError } from './table.ts';

const FORMATS = {
  arrow: { columns: arrowColumns, open: openArrow },
  avro: { columns: avroColumns, open: openAvro },
  orc: { columns: orcColumns, open: openOrc },
  npy: { columns: npyColumns, open: openNpy },
};

export type ColumnarFormat = keyof typeof FORMATS;

export type ColumnarRequest = { readonly format: ColumnarFormat } & (
  | { readonly kind: 'describe'; readonly head: Uint8Array; readonly tail: Uint8Array }
  | { readonly kind: 'write'; readonly path: string; readonly target: string; readonly bytesMax: number }
);

export type ColumnarAnswer =
  | { readonly kind: 'read'; readonly columns: readonly TableColumn[] }
  | { readonly kind: 'refused'; readonly reason: string };

const port = parentPort;
assert(port !== null, 'this file is a thread');
// What is thrown ends the thread.
port.on('message', (request: ColumnarRequest) => void answer(request).then((answered) => port.postMessage(answered)));

async function answer(request: ColumnarRequest): Promise<ColumnarAnswer> {
  try {
    const columns = await columnsOf(request);
    return columns.length === 0 ? { kind: 'refused', reason: 'has no columns' } : { kind: 'read', columns };
  } catch (error) {
    if (error instanceof TableError) return { kind: 'refused', reason: error.message };
    // A full disk, say, is no fault of the file; all else is what the library makes of one that is not as it should be.
    if (error instanceof Error && 'syscall' in error) throw error;
    return { kind: 'refused', reason: 'is damaged or truncated' };
  }
}

async function columnsOf(request: ColumnarRequest): Promise<readonly TableColumn[]> {
  const format = FORMATS[request.format];
  if (request.kind === 'describe') return format.columns(request);
  await using file = await open(request.path);
  const table = await format.open(file);
  if (table.columns.length > 0) await writeParquet(table, request.target, request.bytesMax);
  return table.columns;
}
