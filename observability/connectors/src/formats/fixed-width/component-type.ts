// SPDX-License-Identifier: Apache-2.0
/** Numbers as they lie in binary files. */

type Read = (view: DataView, offset: number, littleEndian: boolean) => number | bigint | boolean;

/** Integers of 64 bits are numbers as far as those are exact. */
function exact(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

export const COMPONENT_TYPES = {
  bool: { bytes: 1, read: (view, offset) => view.getUint8(offset) !== 0 },
  int8: { bytes: 1, read: (view, offset) => view.getInt8(offset) },
  uint8: { bytes: 1, read: (view, offset) => view.getUint8(offset) },
  int16: { bytes: 2, read: (view, offset, little) => view.getInt16(offset, little) },
  uint16: { bytes: 2, read: (view, offset, little) => view.getUint16(offset, little) },
  int32: { bytes: 4, read: (view, offset, little) => view.getInt32(offset, little) },
  uint32: { bytes: 4, read: (view, offset, little) => view.getUint32(offset, little) },
  int64: { bytes: 8, read: (view, offset, little) => exact(view.getBigInt64(offset, little)) },
  uint64: { bytes: 8, read: (view, offset, little) => exact(view.getBigUint64(offset, little)) },
  float16: { bytes: 2, read: (view, offset, little) => view.getFloat16(offset, little) },
  float32: { bytes: 4, read: (view, offset, little) => view.getFloat32(offset, little) },
  float64: { bytes: 8, read: (view, offset, little) => view.getFloat64(offset, little) },
} as const satisfies { readonly [type: string]: { readonly bytes: number; readonly read: Read } };

export type ComponentType = keyof typeof COMPONENT_TYPES;
