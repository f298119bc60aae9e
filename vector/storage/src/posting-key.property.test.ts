// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeChunk,
  decodePostingKey,
  encodePostingBound,
  encodePostingKey,
  POSTING_KEY_BYTES_MAX,
  sameList,
  setChunk,
} from './posting-key.ts';

/** Few different bytes, so that keys are often the start of each other, and zeros are common. */
const key = fc.uint8Array({ maxLength: 6 }).map((bytes) => bytes.map((byte) => [0, 0, 1, 97, 254, 255][byte % 6] ?? 0));
const chunk = fc.constantFrom(0, 1, 255, 256, 0xff00, 0xffff);

function stored(bytes: Uint8Array, number: number): Buffer {
  const target = encodePostingKey(bytes);
  setChunk(target, number);
  return target;
}

describe('keys of posting lists', () => {
  test('[S8] come back, with their chunk', () => {
    fc.assert(
      fc.property(key, chunk, (bytes, number) => {
        expect(decodePostingKey(stored(bytes, number))).toEqual(bytes);
        expect(decodeChunk(stored(bytes, number))).toBe(number);
      }),
    );
  });

  test('[S8] are stored in byte order of the keys, chunks of one key together', () => {
    fc.assert(
      fc.property(key, chunk, key, chunk, (left, leftChunk, right, rightChunk) => {
        const order = Buffer.compare(left, right) || Math.sign(leftChunk - rightChunk);
        expect(stored(left, leftChunk).compare(stored(right, rightChunk))).toBe(order);
        expect(sameList(stored(left, leftChunk), stored(right, rightChunk))).toBe(Buffer.compare(left, right) === 0);
      }),
    );
  });

  test('[S8] lie between two bounds exactly when the key does, and never on one', () => {
    fc.assert(
      fc.property(key, chunk, key, (bytes, number, bound) => {
        expect(stored(bytes, number).compare(encodePostingBound(bound))).toBe(Buffer.compare(bytes, bound) < 0 ? -1 : 1);
      }),
    );
  });

  test('fit into an LMDB key up to the exported maximum, and are refused beyond', () => {
    expect(encodePostingKey(new Uint8Array(POSTING_KEY_BYTES_MAX)).length).toBeLessThanOrEqual(1978);
    expect(() => encodePostingKey(new Uint8Array(POSTING_KEY_BYTES_MAX + 1))).toThrow('longer values are hashed');
  });
});
