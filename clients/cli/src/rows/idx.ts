// SPDX-License-Identifier: Apache-2.0
/** The head of an IDX file: two zero bytes, the type, the number of dimensions, and a big-endian 32-bit size for each. */
import type { FileHandle } from 'node:fs/promises';
import { type ComponentType, type Layout, LayoutError, readBytes } from '@sextant/observability-scan/vectors';

const TYPES: ReadonlyMap<number | undefined, ComponentType> = new Map([
  [0x08, 'uint8'],
  [0x09, 'int8'],
  [0x0b, 'int16'],
  [0x0c, 'int32'],
  [0x0d, 'float32'],
  [0x0e, 'float64'],
] as const);

export async function idxLayout(file: FileHandle): Promise<Layout> {
  const magic = await readBytes(file, 0, 4);
  const type = TYPES.get(magic[2]);
  const dimensions = magic[3] ?? 0;
  if (magic.readUInt16BE(0) !== 0 || type === undefined || dimensions === 0)
    throw new LayoutError('it does not begin with the header of the format');
  const head = await readBytes(file, 4, 4 * dimensions);
  const [rowCount = 0, ...shape] = Array.from({ length: dimensions }, (_, index) => head.readUInt32BE(4 * index));
  const dimension = shape.length === 0 ? undefined : shape.reduce((product, size) => product * size, 1);
  if (dimension === 0) throw new LayoutError('its rows are empty');
  return { headerBytes: 4 + 4 * dimensions, rowHeadBytes: 0, rowCount, type, littleEndian: false, dimension };
}
