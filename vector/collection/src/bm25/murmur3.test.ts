// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { murmur3 } from './murmur3.ts';

/** The verification of SMHasher: hashes of 0, 01, 0102, … with seeds 256 - length, hashed together. */
test('is MurmurHash3_x86_32, by the number that its test suite verifies it with', () => {
  const hashes = new DataView(new ArrayBuffer(256 * 4));
  for (let length = 0; length < 256; length++) {
    const key = Uint8Array.from({ length }, (_, at) => at);
    hashes.setUint32(length * 4, murmur3(key, 256 - length), true);
  }
  expect(murmur3(new Uint8Array(hashes.buffer))).toBe(0xb0f57ee3);
});
