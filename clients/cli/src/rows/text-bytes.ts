// SPDX-License-Identifier: Apache-2.0
/** The bytes of a text file or of standard input, unpacked where the name ends in `.gz` or `.zst`, with a count of what was read. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

export type TextBytes = {
  readonly stream: Readable;
  /** Of the file as it lies on disk; undefined for standard input. */
  readonly progress: { readonly total: number; read(): number } | undefined;
};

/** How standard input is called on a command line. */
export const STANDARD_INPUT = '-';

export async function openTextBytes(path: string): Promise<TextBytes> {
  if (path === STANDARD_INPUT) return { stream: process.stdin, progress: undefined };
  const { size } = await stat(path);
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 });
  return { stream: unpacked(file, path), progress: { total: size, read: () => file.bytesRead } };
}

function unpacked(file: Readable, path: string): Readable {
  const unpack = path.endsWith('.gz') ? createGunzip() : path.endsWith('.zst') ? createZstdDecompress() : undefined;
  if (unpack === undefined) return file;
  file.once('error', (error) => unpack.destroy(error));
  unpack.once('close', () => file.destroy());
  return file.pipe(unpack);
}
