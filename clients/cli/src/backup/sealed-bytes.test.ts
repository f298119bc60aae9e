// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { opened, readKey, sealed } from './sealed-bytes.ts';

const KEY = Buffer.alloc(32, 7);
const MIB = 1_048_576;

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function all(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const held: Uint8Array[] = [];
  for await (const chunk of chunks) held.push(chunk);
  return Buffer.concat(held);
}
const seal = (bytes: Uint8Array, key = KEY) => all(sealed(inChunks(bytes, 100_000), key));
const open = (bytes: Uint8Array, key = KEY, size = 65_536) => all(opened(inChunks(bytes, size), key, 'a.sealed'));

describe('what is sealed opens again', () => {
  test.each([0, 1, 1000, MIB - 1, MIB, MIB + 1, 2 * MIB, 2 * MIB + 17])('%i bytes', async (length) => {
    const bytes = randomBytes(length);
    const closed = await seal(bytes);
    expect((await open(closed)).equals(bytes)).toBe(true);
    expect((await open(closed, KEY, 17_001)).equals(bytes)).toBe(true);
  });
});

test('the same bytes look different each time, and nothing of them shows', async () => {
  const bytes = Buffer.from('the quick brown fox'.repeat(10));
  const [one, other] = [await seal(bytes), await seal(bytes)];
  expect(one.equals(other)).toBe(false);
  expect(one.includes('fox')).toBe(false);
});

describe('what was changed does not open', () => {
  const bytes = Buffer.alloc(2 * MIB + 5, 1);
  const piece = MIB + 16;
  const head = 40;
  test.each<[string, (closed: Buffer) => Buffer, RegExp]>([
    ['a bit of the content', (closed) => flipped(closed, head + 5), /damaged, or was encrypted with another key/],
    ['a bit of the tag', (closed) => flipped(closed, closed.length - 1), /damaged/],
    ['a bit of the salt', (closed) => flipped(closed, 10), /damaged/],
    ['no file of ours', () => Buffer.alloc(100), /not an encrypted file/],
    ['cut within a piece', (closed) => closed.subarray(0, closed.length - 2), /damaged/],
    ['cut after a piece', (closed) => closed.subarray(0, head + piece), /damaged/],
    ['cut after the head', (closed) => closed.subarray(0, head), /truncated/],
    ['empty', () => Buffer.alloc(0), /not an encrypted file/],
    ['its last piece twice', (closed) => Buffer.concat([closed, closed.subarray(head + 2 * piece)]), /damaged/],
    [
      'two pieces exchanged',
      (closed) =>
        Buffer.concat([
          closed.subarray(0, head),
          closed.subarray(head + piece, head + 2 * piece),
          closed.subarray(head, head + piece),
          closed.subarray(head + 2 * piece),
        ]),
      /damaged/,
    ],
  ])('%s', async (_, change, reason) => {
    await expect(open(change(await seal(bytes)))).rejects.toThrow(reason);
  });

  test('with another key', async () => {
    await expect(open(await seal(bytes), Buffer.alloc(32, 8))).rejects.toThrow(/another key/);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test('a key is 32 bytes or 64 digits, in a file of its owner alone', async () => {
  await using directory = await temporaryDirectory();
  const file = (name: string, content: string | Uint8Array, mode = 0o600) => {
    const path = join(directory.path, name);
    writeFileSync(path, content, { mode });
    chmodSync(path, mode);
    return path;
  };
  expect(readKey(file('raw', KEY)).equals(KEY)).toBe(true);
  expect(readKey(file('hex', `${KEY.toString('hex')}\n`)).equals(KEY)).toBe(true);
  expect(() => readKey(file('short', 'abc'))).toThrow(/expected 32 bytes, or 64 hexadecimal digits/);
  expect(() => readKey(file('open', KEY, 0o644))).toThrow(/other users can read/);
  expect(() => readKey(join(directory.path, 'none'))).toThrow(/cannot be read/);
});
