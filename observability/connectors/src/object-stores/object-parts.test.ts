// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { inParts, partKey } from './object-parts.ts';

const PART_BYTES = 4;

async function partsOf(...chunks: readonly string[]): Promise<readonly string[]> {
  const parts: string[] = [];
  const content = async function* () {
    for (const chunk of chunks) yield Promise.resolve(Buffer.from(chunk));
  };
  for await (const part of inParts(content(), PART_BYTES)) parts.push(Buffer.from(part).toString());
  return parts;
}

test('parts are of one size but the last, however the bytes come', async () => {
  expect(await partsOf('abcdefghij')).toEqual(['abcd', 'efgh', 'ij']);
  expect(await partsOf('a', 'bcdef', '', 'gh')).toEqual(['abcd', 'efgh']);
});

test('an empty file is one empty part', async () => {
  expect(await partsOf()).toEqual(['']);
  expect(await partsOf('', '')).toEqual(['']);
});

test('keys of parts are in the order of the parts', () => {
  const keys = [0, 9, 10, 123_456].map((part) => partKey('', part));
  expect(keys).toEqual(['000000', '000009', '000010', '123456']);
});
