// SPDX-License-Identifier: Apache-2.0
/** Binary files as NumPy and the makers of benchmarks write them. */

export type NpyFile = {
  readonly descr: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
  readonly version?: 1 | 2;
  readonly fortran?: boolean;
  /** What the file says instead of the truth. */
  readonly headLength?: number;
};

export function npyFile({ descr, shape, data, version = 1, fortran = false, headLength }: NpyFile): Uint8Array {
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${shape.join(', ')}${shape.length === 1 ? ',' : ''}), }`;
  const lengthBytes = version === 1 ? 2 : 4;
  const head = Buffer.from(`${text}${' '.repeat((64 - ((8 + lengthBytes + text.length + 1) % 64)) % 64)}\n`);
  const start = Buffer.alloc(8 + lengthBytes);
  start.write('\x93NUMPY', 'latin1');
  start[6] = version;
  start.writeUIntLE(headLength ?? head.length, 8, lengthBytes);
  return Buffer.concat([start, head, data]);
}

const WRITERS = {
  float32: { bytes: 4, write: (view: DataView, offset: number, value: number) => view.setFloat32(offset, value, true) },
  int32: { bytes: 4, write: (view: DataView, offset: number, value: number) => view.setInt32(offset, value, true) },
  uint8: { bytes: 1, write: (view: DataView, offset: number, value: number) => view.setUint8(offset, value) },
};

export function vecsFile(dimension: number, type: keyof typeof WRITERS, values: readonly number[]): Uint8Array {
  const { bytes, write } = WRITERS[type];
  const stride = 4 + dimension * bytes;
  const file = new Uint8Array((values.length / dimension) * stride);
  const view = new DataView(file.buffer);
  for (const [index, value] of values.entries()) {
    const row = Math.floor(index / dimension);
    view.setInt32(row * stride, dimension, true);
    write(view, row * stride + 4 + (index % dimension) * bytes, value);
  }
  return file;
}
