// SPDX-License-Identifier: Apache-2.0
/**
 * Point ids as bytes. Byte order is id order: numbers ascending, then UUIDs.
 *
 *   number  0x00, unsigned 64-bit big-endian    9 bytes
 *   UUID    0x01, its 16 bytes                 17 bytes
 */
import type { PointId } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { StorageError } from './storage-error.ts';

const NUMBER_TAG = 0;
const UUID_TAG = 1;
const NUMBER_BYTES = 9;
const UUID_BYTES = 17;
export const POINT_ID_BYTES_MAX = UUID_BYTES;

const U64_MAX = 2n ** 64n - 1n;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Writes the id's bytes at `offset` and returns the offset after them. */
export function writePointId(id: PointId, target: Buffer, offset: number): number {
  if (typeof id === 'string') return writeUuid(id, target, offset);
  target[offset] = NUMBER_TAG;
  if (typeof id === 'number') {
    assert(Number.isSafeInteger(id) && id >= 0, 'a point id is an unsigned integer, checked at the edge');
    target.writeUInt32BE(Math.floor(id / 2 ** 32), offset + 1);
    target.writeUInt32BE(id >>> 0, offset + 5);
  } else {
    assert(id >= 0n && id <= U64_MAX, 'a point id has at most 64 bits, checked at the edge');
    target.writeBigUInt64BE(id, offset + 1);
  }
  return offset + NUMBER_BYTES;
}

/** Reads the id at `offset`: a number up to 2^53 - 1, a bigint above, a UUID in lower case with hyphens. */
export function readPointId(source: Buffer, offset: number): PointId {
  if (source[offset] === UUID_TAG) return readUuid(source, offset + 1);
  if (source[offset] !== NUMBER_TAG) throw new StorageError('a stored point id starts with no known tag');
  const high = source.readUInt32BE(offset + 1);
  // 2^53 - 1 has 21 bits above the low word.
  return high < 2 ** 21 ? high * 2 ** 32 + source.readUInt32BE(offset + 5) : source.readBigUInt64BE(offset + 1);
}

/** Number of bytes of the stored id that starts with this tag. */
export function pointIdBytes(tag: number | undefined): number {
  return tag === UUID_TAG ? UUID_BYTES : NUMBER_BYTES;
}

/** The order of storage: numbers ascending, then UUIDs; negative when `left` comes first. */
export function comparePointIds(left: PointId, right: PointId): number {
  if (typeof left === 'string') {
    if (typeof right !== 'string') return 1;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof right === 'string') return -1;
  return left < right ? -1 : left > right ? 1 : 0;
}

function writeUuid(id: string, target: Buffer, offset: number): number {
  assert(UUID.test(id), 'a UUID is lower-case with hyphens, checked at the edge');
  target[offset] = UUID_TAG;
  const written = target.write(id.replaceAll('-', ''), offset + 1, 'hex');
  assert(written === UUID_BYTES - 1, 'a UUID has 16 bytes');
  return offset + UUID_BYTES;
}

function readUuid(source: Buffer, offset: number): string {
  const hex = source.toString('hex', offset, offset + UUID_BYTES - 1);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
