// SPDX-License-Identifier: Apache-2.0
/**
 * The record of one point, as stored under its row:
 *
 *   version f64 | vectorVersion f64 | id (9 or 17 bytes) | payload, JSON in UTF-8 | dense spaces u16 each | sparse spaces u16 each |
 *   number of dense spaces u16 | number of sparse spaces u16 | FNV-1a of all before the payload u32 | CRC-32 of all before u32 | format u8 = 2
 *
 * Numbers are little-endian. The format comes last, so that it also tells a record from the zeros that a cut file reads as. Format 1, of earlier versions,
 * has nothing between the payload and the format: which vectors were written is unknown, and so is whether a bit has flipped.
 *
 * Two checksums, because a search reads what stands before the payloads of its hits and nothing else: there the call of zlib would take longer than the rest.
 */
import { crc32 } from 'node:zlib';
import { POINT_ID_BYTES_MAX, pointIdBytes, readPointId, writePointId } from './point-id.ts';
import type { PointHead, StoredPoint } from './storage.ts';
import { DamagedError, StorageError } from './storage-error.ts';

const WITHOUT_VECTORS = 1;
const WITH_VECTORS = 2;
const FORMAT_BYTES = 1;
const VECTOR_VERSION_OFFSET = 8;
const ID_OFFSET = 16;
const SPACE_BYTES = 2;
/** Both numbers of spaces. */
const COUNTS_BYTES = 4;
/** Both checksums. */
const CHECKSUM_BYTES = 8;
/** A CRC over something and its own CRC, whatever that is, and then over the format. */
const SOUND_CRC = crc32(Uint8Array.of(0, 0, 0, 0, WITH_VECTORS));
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const UTF8_BYTES_PER_UNIT_MAX = 3;
const SCRATCH_BYTES = 64 * 1024;

/** Reused, because LMDB copies the bytes before a put returns. */
const scratch = Buffer.alloc(SCRATCH_BYTES);

/** The bytes are only valid until the next call. */
export function encodePoint({ id, version, vectorVersion, payload, vectors }: StoredPoint): Buffer {
  const vectorBytes = vectors === undefined ? 0 : SPACE_BYTES * (vectors.dense.length + vectors.sparse.length) + COUNTS_BYTES;
  const bytesMax = ID_OFFSET + POINT_ID_BYTES_MAX + payload.length * UTF8_BYTES_PER_UNIT_MAX + vectorBytes + CHECKSUM_BYTES + FORMAT_BYTES;
  const target = bytesMax <= scratch.length ? scratch : Buffer.alloc(bytesMax);
  target.writeDoubleLE(version, 0);
  target.writeDoubleLE(vectorVersion, VECTOR_VERSION_OFFSET);
  const payloadOffset = writePointId(id, target, ID_OFFSET);
  let offset = payloadOffset + target.write(payload, payloadOffset, 'utf8');
  if (vectors !== undefined) {
    for (const space of vectors.dense) offset = target.writeUInt16LE(space, offset);
    for (const space of vectors.sparse) offset = target.writeUInt16LE(space, offset);
    offset = target.writeUInt16LE(vectors.dense.length, offset);
    offset = target.writeUInt16LE(vectors.sparse.length, offset);
    offset = target.writeUInt32LE(fnv(target, payloadOffset), offset);
    offset = target.writeUInt32LE(crc32(target.subarray(0, offset)), offset);
  }
  target[offset] = vectors === undefined ? WITHOUT_VECTORS : WITH_VECTORS;
  return target.subarray(0, offset + FORMAT_BYTES);
}

export function decodePoint(record: Buffer): StoredPoint {
  const formatOffset = record.length - FORMAT_BYTES;
  const isWithVectors = record[formatOffset] === WITH_VECTORS;
  // lmdb-js answers a larger buffer whose `length` it has set.
  if (isWithVectors && crc32(record.subarray(0, record.length)) !== SOUND_CRC) throw unsound(record);
  const { id, version, vectorVersion } = headOf(record);
  const start = ID_OFFSET + pointIdBytes(record[ID_OFFSET]);
  if (!isWithVectors) return { id, version, vectorVersion, payload: record.toString('utf8', start, formatOffset) };
  const counts = formatOffset - CHECKSUM_BYTES - COUNTS_BYTES;
  const [dense, sparse] = [record.readUInt16LE(counts), record.readUInt16LE(counts + SPACE_BYTES)];
  const sparseOffset = counts - SPACE_BYTES * sparse;
  const denseOffset = sparseOffset - SPACE_BYTES * dense;
  const vectors = { dense: spacesIn(record, denseOffset, dense), sparse: spacesIn(record, sparseOffset, sparse) };
  return { id, version, vectorVersion, payload: record.toString('utf8', start, denseOffset), vectors };
}

export function decodePointHead(record: Buffer): PointHead {
  const formatOffset = record.length - FORMAT_BYTES;
  if (record[formatOffset] === WITH_VECTORS) {
    const start = ID_OFFSET + pointIdBytes(record[ID_OFFSET]);
    const checksums = formatOffset - CHECKSUM_BYTES;
    if (start > checksums || fnv(record, start) !== record.readUInt32LE(checksums)) throw unsound(record);
  }
  return headOf(record);
}

function headOf(record: Buffer): PointHead {
  const format = record[record.length - FORMAT_BYTES];
  if (format !== WITHOUT_VECTORS && format !== WITH_VECTORS) throw new StorageError('a stored point is damaged, or of another format');
  const version = record.readDoubleLE(0);
  const vectorVersion = record.readDoubleLE(VECTOR_VERSION_OFFSET);
  if (!isVersion(version) || !isVersion(vectorVersion)) throw new StorageError('a stored point has no number of its operation');
  return { id: readPointId(record, ID_OFFSET), version, vectorVersion };
}

function spacesIn(record: Buffer, offset: number, count: number): readonly number[] {
  const spaces: number[] = [];
  for (let place = 0; place < count; place++) spaces.push(record.readUInt16LE(offset + SPACE_BYTES * place));
  return spaces;
}

/** FNV-1a in 32 bits: no change of a single byte is missed. */
function fnv(bytes: Uint8Array, end: number): number {
  let hash = FNV_BASIS;
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), FNV_PRIME);
  return hash >>> 0;
}

/** Whoever has to write the point again needs its id, which is right unless the bit flipped there. */
function unsound(record: Buffer): DamagedError {
  return new DamagedError(`the record that names point ${readPointId(record, ID_OFFSET)}`);
}

function isVersion(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
