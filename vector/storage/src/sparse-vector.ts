// SPDX-License-Identifier: Apache-2.0
/**
 * The record of a sparse vector:
 *
 *   indices u32, ascending | values f32, as many | format u32 = 1
 *
 * Numbers are little-endian. The format comes last, so that it also tells a record from the zeros that a cut file reads as.
 */
import { assert } from '@sextant/foundation-std';
import type { SparseComponents } from './storage.ts';
import { StorageError } from './storage-error.ts';

const FORMAT = 1;
const FORMAT_BYTES = 4;
const NUMBER_BYTES = 4;
const COMPONENT_BYTES = 2 * NUMBER_BYTES;

export function encodeSparseVector({ indices, values }: SparseComponents): Uint8Array {
  assert(indices.length === values.length, 'each index of a sparse vector has a value');
  const record = new Uint8Array(indices.length * COMPONENT_BYTES + FORMAT_BYTES);
  new Uint32Array(record.buffer, 0, indices.length).set(indices);
  new Float32Array(record.buffer, indices.length * NUMBER_BYTES, values.length).set(values);
  new DataView(record.buffer).setUint32(record.length - FORMAT_BYTES, FORMAT, true);
  return record;
}

/** A copy of what the record holds. */
export function decodeSparseVector(record: Buffer): SparseComponents {
  const count = (record.length - FORMAT_BYTES) / COMPONENT_BYTES;
  if (!Number.isInteger(count) || record.readUInt32LE(record.length - FORMAT_BYTES) !== FORMAT) {
    throw new StorageError('a stored sparse vector is damaged, or of another format');
  }
  const bytes = record.buffer.slice(record.byteOffset, record.byteOffset + count * COMPONENT_BYTES);
  return { indices: new Uint32Array(bytes, 0, count), values: new Float32Array(bytes, count * NUMBER_BYTES, count) };
}
