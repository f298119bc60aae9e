/**
 * The record of one point, as stored under its row:
 *
 *   format u8 = 1 | version f64 | vectorVersion f64 | id (9 or 17 bytes) | payload, JSON in UTF-8
 *
 * Numbers are little-endian.
 */
import { POINT_ID_BYTES_MAX, pointIdBytes, readPointId, writePointId } from './point-id.ts';
import type { StoredPoint } from './storage.ts';
import { StorageError } from './storage-error.ts';

const FORMAT = 1;
const ID_OFFSET = 17;
const UTF8_BYTES_PER_UNIT_MAX = 3;
const SCRATCH_BYTES = 64 * 1024;

/** Reused, because LMDB copies the bytes before a put returns. */
const scratch = Buffer.alloc(SCRATCH_BYTES);

/** The bytes are only valid until the next call. */
export function encodePoint(point: StoredPoint): Buffer {
  const bytesMax = ID_OFFSET + POINT_ID_BYTES_MAX + point.payload.length * UTF8_BYTES_PER_UNIT_MAX;
  const target = bytesMax <= scratch.length ? scratch : Buffer.alloc(bytesMax);
  target[0] = FORMAT;
  target.writeDoubleLE(point.version, 1);
  target.writeDoubleLE(point.vectorVersion, 9);
  const payloadOffset = writePointId(point.id, target, ID_OFFSET);
  return target.subarray(0, payloadOffset + target.write(point.payload, payloadOffset, 'utf8'));
}

export function decodePoint(record: Buffer, bytes: number): StoredPoint {
  if (record[0] !== FORMAT) throw new StorageError('a stored point is damaged, or of another format');
  const payloadOffset = ID_OFFSET + pointIdBytes(record[ID_OFFSET]);
  return {
    id: readPointId(record, ID_OFFSET),
    version: record.readDoubleLE(1),
    vectorVersion: record.readDoubleLE(9),
    payload: record.toString('utf8', payloadOffset, bytes),
  };
}
