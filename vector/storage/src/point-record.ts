/**
 * The record of one point, as stored under its row:
 *
 *   version f64 | vectorVersion f64 | id (9 or 17 bytes) | payload, JSON in UTF-8 | format u8 = 1
 *
 * Numbers are little-endian. The format comes last, so that it also tells a record from the zeros that a cut file reads as.
 */
import { POINT_ID_BYTES_MAX, pointIdBytes, readPointId, writePointId } from './point-id.ts';
import type { PointHead, StoredPoint } from './storage.ts';
import { StorageError } from './storage-error.ts';

const FORMAT = 1;
const FORMAT_BYTES = 1;
const VECTOR_VERSION_OFFSET = 8;
const ID_OFFSET = 16;
const UTF8_BYTES_PER_UNIT_MAX = 3;
const SCRATCH_BYTES = 64 * 1024;

/** Reused, because LMDB copies the bytes before a put returns. */
const scratch = Buffer.alloc(SCRATCH_BYTES);

/** The bytes are only valid until the next call. */
export function encodePoint(point: StoredPoint): Buffer {
  const bytesMax = ID_OFFSET + POINT_ID_BYTES_MAX + point.payload.length * UTF8_BYTES_PER_UNIT_MAX + FORMAT_BYTES;
  const target = bytesMax <= scratch.length ? scratch : Buffer.alloc(bytesMax);
  target.writeDoubleLE(point.version, 0);
  target.writeDoubleLE(point.vectorVersion, VECTOR_VERSION_OFFSET);
  const payloadOffset = writePointId(point.id, target, ID_OFFSET);
  const formatOffset = payloadOffset + target.write(point.payload, payloadOffset, 'utf8');
  target[formatOffset] = FORMAT;
  return target.subarray(0, formatOffset + FORMAT_BYTES);
}

export function decodePoint(record: Buffer): StoredPoint {
  const { id, version, vectorVersion } = decodePointHead(record);
  const payloadOffset = ID_OFFSET + pointIdBytes(record[ID_OFFSET]);
  return { id, version, vectorVersion, payload: record.toString('utf8', payloadOffset, record.length - FORMAT_BYTES) };
}

export function decodePointHead(record: Buffer): PointHead {
  if (record[record.length - FORMAT_BYTES] !== FORMAT) throw new StorageError('a stored point is damaged, or of another format');
  const version = record.readDoubleLE(0);
  const vectorVersion = record.readDoubleLE(VECTOR_VERSION_OFFSET);
  if (!isVersion(version) || !isVersion(vectorVersion)) throw new StorageError('a stored point has no number of its operation');
  return { id: readPointId(record, ID_OFFSET), version, vectorVersion };
}

function isVersion(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
