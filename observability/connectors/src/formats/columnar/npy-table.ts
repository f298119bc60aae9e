// SPDX-License-Identifier: Apache-2.0
/** An array of NumPy as a table of one column: `vector` with a list of numbers in each row, or `value` where a row is one number. */
import type { FileHandle } from 'node:fs/promises';
import { COMPONENT_TYPES } from '../fixed-width/component-type.ts';
import { type Layout, LayoutError, readBytes } from '../fixed-width/layout.ts';
import { npyHead, npyLayout } from '../fixed-width/npy.ts';
import { CHUNK_ROWS, type ColumnType, type Table, type TableColumn, TableError } from './table.ts';

/** Text of a list takes some twenty bytes for each of its numbers. */
const CHUNK_COMPONENTS = 1_000_000;
const DIMENSION_MAX = 65_536;

export function npyColumns({ head }: { readonly head: Uint8Array }): readonly TableColumn[] {
  return explained(() => [columnOf(npyHead(Buffer.from(head)))]);
}

export async function openNpy(file: FileHandle): Promise<Table> {
  const layout = await npyLayout(file).catch(explain);
  if (layout.dimension !== undefined && layout.dimension > DIMENSION_MAX)
    throw new TableError(`has rows of ${layout.dimension} numbers; the limit is ${DIMENSION_MAX}`);
  const { size } = await file.stat();
  const rowBytes = (layout.dimension ?? 1) * COMPONENT_TYPES[layout.type].bytes;
  if (size < layout.headerBytes + layout.rowCount * rowBytes) {
    throw new TableError(`is truncated: its header announces ${layout.rowCount} rows, but the file ends early`);
  }
  return { columns: [columnOf(layout)], chunks: () => chunks(file, layout, rowBytes) };
}

function columnOf({ dimension, type }: Layout): TableColumn {
  if (dimension !== undefined) return { name: 'vector', type: { kind: 'text' } };
  return { name: 'value', type: valueType(type) };
}

function valueType(type: Layout['type']): ColumnType {
  switch (type) {
    case 'bool':
      return { kind: 'boolean' };
    case 'int8':
    case 'uint8':
    case 'int16':
    case 'uint16':
    case 'int32':
      return { kind: 'int32' };
    case 'uint32':
    case 'int64':
      return { kind: 'int64' };
    case 'uint64':
      return { kind: 'uint64' };
    case 'float16':
    case 'float32':
    case 'float64':
      return { kind: 'double' };
  }
}

async function* chunks(
  file: FileHandle,
  layout: Layout,
  rowBytes: number,
): AsyncGenerator<readonly (readonly (string | number | bigint | boolean)[])[]> {
  const { type, littleEndian, dimension, headerBytes, rowCount } = layout;
  const { bytes, read } = COMPONENT_TYPES[type];
  const rows = Math.max(1, Math.min(CHUNK_ROWS, Math.floor(CHUNK_COMPONENTS / (dimension ?? 1))));
  const { kind } = columnOf(layout).type;
  for (let first = 0; first < rowCount; first += rows) {
    const count = Math.min(rows, rowCount - first);
    const block = await readBytes(file, headerBytes + first * rowBytes, count * rowBytes).catch(explain);
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    const component = (row: number, at: number) => read(view, row * rowBytes + at * bytes, littleEndian);
    yield [
      Array.from({ length: count }, (_, row) => {
        if (dimension !== undefined)
          return `[${Array.from({ length: dimension }, (_component, at) => Number(component(row, at))).join(',')}]`;
        const value = component(row, 0);
        // What is written as 64 bits is a bigint, whatever it was read as.
        return kind === 'int64' || kind === 'uint64' ? BigInt(value) : value;
      }),
    ];
  }
}

function explained<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): never {
  if (error instanceof LayoutError) throw new TableError(`is not a readable NumPy array: ${error.message}`);
  throw error;
}
