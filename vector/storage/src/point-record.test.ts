// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { decodePoint, decodePointHead, encodePoint } from './point-record.ts';
import type { StoredPoint } from './storage.ts';
import { StorageError } from './storage-error.ts';

const POINT: StoredPoint = { id: 7, version: 3, vectorVersion: 2, payload: '{"a":"ä"}' };
const WITH_VECTORS: StoredPoint = { ...POINT, vectors: { dense: [0, 65_535], sparse: [3] } };

test.each([
  ['without its vectors, as earlier versions wrote it', POINT],
  ['with its vectors', WITH_VECTORS],
  ['with none', { ...POINT, vectors: { dense: [], sparse: [] } }],
])('[S24] a record %s is read as it was written', (_, point) => {
  expect(decodePoint(Buffer.from(encodePoint(point)))).toEqual(point);
  expect(decodePointHead(Buffer.from(encodePoint(point)))).toEqual({ id: 7, version: 3, vectorVersion: 2 });
});

test('[S25] a bit that flips anywhere in a record is found where it is read, and in its head where that alone is read', () => {
  const record = Buffer.from(encodePoint(WITH_VECTORS));
  const head = record.indexOf(POINT.payload);
  for (let bit = 0; bit < record.length * 8; bit++) {
    const flipped = Buffer.from(record);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(() => decodePoint(flipped)).toThrow(StorageError);
    if (bit >> 3 < head) expect(() => decodePointHead(flipped)).toThrow(StorageError);
  }
});

test.each([0, 3, 255])('a record of the format %i is none', (format) => {
  const record = Buffer.from(encodePoint(WITH_VECTORS));
  record.writeUInt8(format, record.length - 1);
  expect(() => decodePoint(record)).toThrow('a stored point is damaged, or of another format');
});
