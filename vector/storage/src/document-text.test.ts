// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { documentOf, documentText } from './document-text.ts';

test('a document is read as it was written, and as an earlier version wrote it', () => {
  const value = { name: 'ä\n#', limit: 2n ** 64n - 1n, list: [1, null] };
  expect(documentOf(documentText(value))).toEqual(value);
  expect(documentOf('{"name":"a"}')).toEqual({ name: 'a' });
});

test('[S26] a bit that flips anywhere in a document is found', () => {
  const bytes = Buffer.from(documentText({ name: 'ä', count: 12, live: true }));
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(() => documentOf(flipped.toString('utf8'))).toThrow(/a stored document/);
  }
});
