// SPDX-License-Identifier: Apache-2.0
/** The head of a `.npy` file: a magic string, a version, and a Python dictionary with type, order and shape. */
import type { FileHandle } from 'node:fs/promises';
import type { ComponentType } from './component-type.ts';
import { type Layout, LayoutError, readBytes } from './layout.ts';

export const NPY_MAGIC = '\x93NUMPY';
const VERSION_AT = 6;
const LENGTH_AT = 8;
/** Real heads have some hundred bytes. */
const HEAD_BYTES_MAX = 65_536;

/** NumPy's type codes without the byte order. */
const TYPES: { readonly [code: string]: ComponentType } = {
  b1: 'bool',
  i1: 'int8',
  u1: 'uint8',
  i2: 'int16',
  u2: 'uint16',
  i4: 'int32',
  u4: 'uint32',
  i8: 'int64',
  u8: 'uint64',
  f2: 'float16',
  f4: 'float32',
  f8: 'float64',
};

export async function npyLayout(file: FileHandle): Promise<Layout> {
  const start = await readBytes(file, 0, LENGTH_AT + 4);
  const { headAt, headLength } = headPlace(start);
  return npyHead(await readBytes(file, 0, headAt + headLength));
}

/** @param bytes the beginning of a file; what follows the head is not looked at */
export function npyHead(bytes: Buffer): Layout {
  if (bytes.length < LENGTH_AT + 4) throw new LayoutError('it ends in its head');
  const { headAt, headLength } = headPlace(bytes);
  if (bytes.length < headAt + headLength) throw new LayoutError('it ends in its head');
  const head = bytes.toString('utf8', headAt, headAt + headLength);
  const { type, littleEndian } = typeIn(head);
  const [rowCount, ...rest] = shapeIn(head);
  if (rowCount === undefined) throw new LayoutError('it holds a single number, not an array');
  if (rest.length > 0 && /'fortran_order':\s*True/.test(head)) {
    throw new LayoutError('it is in Fortran order; save it with numpy.ascontiguousarray');
  }
  const dimension = rest.length === 0 ? undefined : rest.reduce((product, size) => product * size, 1);
  if (dimension === 0) throw new LayoutError('its rows are empty');
  return { headerBytes: headAt + headLength, rowHeadBytes: 0, rowCount, type, littleEndian, dimension };
}

function headPlace(start: Buffer): { readonly headAt: number; readonly headLength: number } {
  if (start.toString('latin1', 0, VERSION_AT) !== NPY_MAGIC) throw new LayoutError('it does not begin with the header of the format');
  const isFirstVersion = start[VERSION_AT] === 1;
  const headLength = isFirstVersion ? start.readUInt16LE(LENGTH_AT) : start.readUInt32LE(LENGTH_AT);
  if (headLength > HEAD_BYTES_MAX) throw new LayoutError(`its header has an invalid length of ${headLength} bytes`);
  return { headAt: LENGTH_AT + (isFirstVersion ? 2 : 4), headLength };
}

function typeIn(head: string): { readonly type: ComponentType; readonly littleEndian: boolean } {
  const [, order, code = ''] = /'descr':\s*'([<>|=])([a-zA-Z]\d+)'/.exec(head) ?? [];
  const type = TYPES[code];
  if (type === undefined) {
    throw new LayoutError(
      `it does not hold plain numbers; expected one of the types ${Object.keys(TYPES).join(', ')}, as astype('float32') gives`,
    );
  }
  return { type, littleEndian: order !== '>' };
}

function shapeIn(head: string): readonly number[] {
  const text = /'shape':\s*\(([\d,\s]*)\)/.exec(head)?.[1];
  if (text === undefined) throw new LayoutError('its header has no shape');
  const sizes = text.split(',').flatMap((size) => (size.trim() === '' ? [] : [Number(size)]));
  if (!Number.isSafeInteger(sizes.reduce((product, size) => product * size, 1))) throw new LayoutError(`its shape is (${text})`);
  return sizes;
}
