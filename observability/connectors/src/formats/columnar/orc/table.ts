// SPDX-License-Identifier: Apache-2.0
/** ORC files, stripe after stripe: https://orc.apache.org/specification/ORCv1/ */
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { CHUNK_ROWS, namedColumns, SCHEMA_BYTES_MAX, type StoredValue, type Table, type TableColumn } from '../table.ts';
import { type OrcStripe, type OrcTail, orcTail } from './file-tail.ts';
import { OrcMemory } from './memory.ts';
import { damagedOrc } from './message.ts';
import type { OrcType } from './schema.ts';
import { type StripeFile, StripeStreams } from './stripe.ts';
import { StripeReaders } from './values.ts';

/** Of the end of a file. */
export function orcColumns({ tail }: { readonly tail: Uint8Array }): readonly TableColumn[] {
  return columnsOf(orcTail(tail).root);
}

export async function openOrc(file: FileHandle): Promise<Table> {
  const { size } = await file.stat();
  const read = readerOf(file.fd);
  const end = Math.min(SCHEMA_BYTES_MAX, size);
  const tail = orcTail(read(size - end, end));
  assertOrder(tail, size);
  return {
    columns: columnsOf(tail.root),
    chunks: async function* () {
      yield* chunksOf({ read, tail, memory: new OrcMemory() });
    },
  };
}

function columnsOf({ children, names }: OrcType): readonly TableColumn[] {
  return namedColumns(children.map(({ column }, index) => ({ name: names[index] ?? '', type: column })));
}

/** No stripe lies in another, where the same rows would come again and again. */
function assertOrder({ stripes, bytes }: OrcTail, size: number): void {
  let end = 0;
  for (const { offset, streamBytes, footerBytes } of stripes) {
    if (offset < end) throw damagedOrc();
    end = offset + streamBytes + footerBytes;
  }
  if (end > size - bytes) throw damagedOrc();
}

function* chunksOf(file: StripeFile): Generator<readonly (readonly StoredValue[])[]> {
  const { tail, memory } = file;
  const width = tail.root.children.length;
  const noValues = (): StoredValue[][] => Array.from({ length: width }, () => []);
  let values = noValues();
  for (const stripe of tail.stripes) {
    for (const row of rowsOf(file, stripe)) {
      for (let index = 0; index < width; index += 1) values[index]?.push(row[index] ?? null);
      if ((values[0]?.length ?? 0) < CHUNK_ROWS && !memory.isFull) continue;
      yield values;
      values = noValues();
      memory.handOn();
    }
    memory.releaseAll();
  }
  yield values;
}

/** The same row, filled again and again. */
function* rowsOf(file: StripeFile, stripe: OrcStripe): Generator<readonly StoredValue[]> {
  if (stripe.rows === 0) return;
  const { root } = file.tail;
  const readers = new StripeReaders(new StripeStreams(file, stripe));
  const isPresent = readers.presence(root);
  const columns = root.children.map((child) => readers.column(child));
  const row: StoredValue[] = columns.map(() => null);
  for (let index = 0; index < stripe.rows; index += 1) {
    const isRow = isPresent();
    for (const [column, value] of columns.entries()) row[column] = isRow ? value() : null;
    yield row;
  }
  readers.assertEnd();
}

/** Of this thread alone: nobody else waits while it reads. */
function readerOf(descriptor: number): (at: number, length: number) => Uint8Array {
  return (at, length) => {
    // Not of the pool, whose memory is counted with each part of it.
    const buffer = Buffer.allocUnsafeSlow(length);
    let bytes = 0;
    while (bytes < length) {
      const more = readSync(descriptor, buffer, bytes, length - bytes, at + bytes);
      if (more === 0) throw damagedOrc();
      bytes += more;
    }
    return buffer;
  };
}
