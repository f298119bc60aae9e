// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { lz4Unpack } from './lz4-frame.ts';

/** What the lz4 command writes: literals, near and far repetitions, and a length of more than a byte. */
const TEXT = `${'Ann,Bob,'.repeat(60)}${'x'.repeat(300)}end of it`;
const PACKED = Buffer.from('BCJNGGRApx0AAACPQW5uLEJvYiwIAP/GH3gBAP8ZkGVuZCBvZiBpdAAAAADs6Dn7', 'base64');
/** Of the content, behind the end of the blocks. */
const CHECKSUM_BYTES = 4;
/** A block that is stored as it is. */
const STORED = Buffer.from('04224d18404073030000806162630000 0000'.replaceAll(' ', ''), 'hex');

describe('an LZ4 frame', () => {
  test('becomes what was packed', () => {
    expect(Buffer.from(lz4Unpack(PACKED, 10_000)).toString()).toBe(TEXT);
    expect(Buffer.from(lz4Unpack(STORED, 10_000)).toString()).toBe('abc');
  });

  test('that unpacks to more than the limit is refused', () => {
    expect(() => lz4Unpack(PACKED, TEXT.length - 1)).toThrow(/unpacks to more than the limit of 788 bytes/);
    expect(lz4Unpack(PACKED, TEXT.length)).toHaveLength(TEXT.length);
  });

  test('that was cut anywhere is refused', () => {
    for (let length = 0; length < PACKED.length - CHECKSUM_BYTES; length += 1)
      expect(() => lz4Unpack(PACKED.subarray(0, length), 10_000), String(length)).toThrow(/damaged/);
  });

  test('that repeats what was not written is refused', () => {
    const wrong = Buffer.from(PACKED);
    // The distance of the first repetition.
    wrong.writeUInt16LE(60_000, 20);
    expect(() => lz4Unpack(wrong, 10_000)).toThrow(/damaged/);
  });
});
