// SPDX-License-Identifier: Apache-2.0
/** What a ZIP archive says that it holds, from its directory alone: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.12 and 4.3.16. */
import type { ByteSource } from './byte-source.ts';

export type ZipEntry = { readonly name: string; readonly unpackedBytes: number };

const ARCHIVE_MAGIC = 'PK\u0003\u0004';
const ENTRY_MAGIC = 0x02014b50;
const ENTRY_BYTES = 46;
const END_MAGIC = 'PK\u0005\u0006';
const END_BYTES = 22;
/** The end may be followed by a comment of so many bytes. */
const COMMENT_BYTES = 65_535;
/** Some ten thousand entries. */
const DIRECTORY_BYTES_MAX = 2 ** 20;

/** Undefined where it is no archive, or one without a directory that can be read. */
export async function zipEntries(source: ByteSource, head: Uint8Array): Promise<readonly ZipEntry[] | undefined> {
  if (Buffer.from(head.subarray(0, 4)).toString('latin1') !== ARCHIVE_MAGIC) return undefined;
  const tail = Buffer.from(await source.slice(Math.max(0, source.bytes - END_BYTES - COMMENT_BYTES), source.bytes));
  const end = tail.lastIndexOf(END_MAGIC, 'latin1');
  if (end < 0 || end + END_BYTES > tail.length) return undefined;
  const bytes = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (bytes > DIRECTORY_BYTES_MAX || start + bytes > source.bytes) return undefined;
  return entriesOf(Buffer.from(await source.slice(start, start + bytes)));
}

function entriesOf(directory: Buffer): readonly ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + ENTRY_BYTES <= directory.length) {
    if (directory.readUInt32LE(at) !== ENTRY_MAGIC) return undefined;
    const nameBytes = directory.readUInt16LE(at + 28);
    const others = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    const name = directory.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    entries.push({ name, unpackedBytes: directory.readUInt32LE(at + 24) });
    at += ENTRY_BYTES + nameBytes + others;
  }
  return entries;
}
