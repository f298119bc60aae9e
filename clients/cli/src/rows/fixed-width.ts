// SPDX-License-Identifier: Apache-2.0
/**
 * Files whose rows all have the same bytes, so that any row is found by its number. What tells them apart is how the head, or each row, says
 * what is in it:
 *
 * - `.npy`, versions 1 to 3 (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html)
 * - `.fvecs`, `.ivecs`, `.bvecs`: each row opens with its dimension, 32 bits little-endian (http://corpus-texmex.irisa.fr)
 * - IDX, that of MNIST: big-endian, a magic number with type and dimensions (LeCun, Cortes, Burges: "The MNIST database of handwritten digits")
 *
 * An array of one dimension gives rows with a `value`; of more dimensions rows with a `vector`, flattened.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { COMPONENT_TYPES, type ComponentType, type Layout, LayoutError, npyLayout, readBytes } from '@sextant/observability-scan/vectors';
import { CommandFailure } from '../failure.ts';
import { idxLayout } from './idx.ts';
import type { ReadRow, RowSource } from './row-source.ts';

export type FixedWidthFormat = 'npy' | 'fvecs' | 'ivecs' | 'bvecs' | 'idx';

/** Read at once. */
const BLOCK_BYTES = 4 * 1024 * 1024;

export async function openFixedWidth(path: string, format: FixedWidthFormat): Promise<RowSource> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const layout = await readLayout(file, size, format);
    const expected = layout.headerBytes + layout.rowCount * rowBytes(layout);
    if (size < expected) {
      throw new LayoutError(
        `it ends early: its header announces ${layout.rowCount} rows in ${expected} bytes, but the file has ${size} bytes`,
      );
    }
    return {
      columns: [layout.dimension === undefined ? 'value' : 'vector'],
      rowCount: layout.rowCount,
      bytes: undefined,
      rows: (from) => readRows(file, layout, from),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    if (error instanceof LayoutError) throw new CommandFailure('bad_data', `${path} is not a readable ${format} file: ${error.message}`);
    throw error;
  }
}

function readLayout(file: FileHandle, bytes: number, format: FixedWidthFormat): Promise<Layout> {
  switch (format) {
    case 'npy':
      return npyLayout(file);
    case 'idx':
      return idxLayout(file);
    case 'fvecs':
      return vecsLayout(file, bytes, 'float32');
    case 'ivecs':
      return vecsLayout(file, bytes, 'int32');
    case 'bvecs':
      return vecsLayout(file, bytes, 'uint8');
  }
}

const VECS_HEAD_BYTES = 4;
const DIMENSION_MAX = 65_536;

async function vecsLayout(file: FileHandle, bytes: number, type: ComponentType): Promise<Layout> {
  const head = await readBytes(file, 0, VECS_HEAD_BYTES);
  const dimension = head.readInt32LE(0);
  if (dimension < 1 || dimension > DIMENSION_MAX) throw new LayoutError(`its first row says that it has ${dimension} components`);
  const layout = { headerBytes: 0, rowHeadBytes: VECS_HEAD_BYTES, rowCount: 0, type, littleEndian: true, dimension };
  const rowCount = bytes / rowBytes(layout);
  if (!Number.isInteger(rowCount)) throw new LayoutError(`its ${bytes} bytes are not a multiple of a row of ${dimension} components`);
  return { ...layout, rowCount };
}

function rowBytes({ rowHeadBytes, type, dimension = 1 }: Layout): number {
  return rowHeadBytes + dimension * COMPONENT_TYPES[type].bytes;
}

async function* readRows(file: FileHandle, layout: Layout, from: number): AsyncGenerator<ReadRow> {
  const stride = rowBytes(layout);
  const rowsPerBlock = Math.max(1, Math.floor(BLOCK_BYTES / stride));
  for (let first = from; first < layout.rowCount; first += rowsPerBlock) {
    const count = Math.min(rowsPerBlock, layout.rowCount - first);
    const block = await readBytes(file, layout.headerBytes + first * stride, count * stride);
    const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
    for (let row = 0; row < count; row += 1) yield readRow(view, row * stride, layout);
  }
}

function readRow(view: DataView, offset: number, { rowHeadBytes, type, littleEndian, dimension }: Layout): ReadRow {
  const { bytes, read } = COMPONENT_TYPES[type];
  if (dimension === undefined) return { kind: 'row', row: { value: read(view, offset, littleEndian) } };
  if (rowHeadBytes > 0 && view.getInt32(offset, true) !== dimension) {
    return { kind: 'fault', reason: `has ${view.getInt32(offset, true)} components, but the first row has ${dimension}` };
  }
  const vector = Array.from({ length: dimension }, (_, index) => read(view, offset + rowHeadBytes + index * bytes, littleEndian));
  return { kind: 'row', row: { vector } };
}
