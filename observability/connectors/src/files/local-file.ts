// SPDX-License-Identifier: Apache-2.0
/**
 * Opens a file of this machine only if it lies below a given directory, whatever links lead to it. The check follows the opening: on Linux
 * the kernel says where the open file really lies, so that nobody can swap a folder for a link in between; the scan engine then reads the
 * open file itself. Other systems compare the file again by its path, which leaves such a swap a small window.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { SourceError } from '../connector.ts';
import type { LocalFile } from '../formats/open-files.ts';

/** Where the kernel shows the open files of a process. */
const DESCRIPTORS = `/proc/${process.pid}/fd`;
const NO_FOLLOW_NO_WAIT = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `directory` is a real path (see `realpath`), `path` relative to it. Throws a `SourceError` where there is no such file. */
export async function openLocalFile(directory: string, path: string): Promise<LocalFile> {
  const real = await realpath(join(directory, path)).catch(() => undefined);
  if (real === undefined || !isInside(directory, real)) throw notFound(path);
  await using opening = new AsyncDisposableStack();
  // Without waiting, because opening a FIFO would wait for its writer.
  const handle = opening.adopt(await open(real, NO_FOLLOW_NO_WAIT).catch(() => undefined), async (file) => file?.close());
  if (handle === undefined) throw notFound(path);
  const status = await handle.stat();
  const place = await openedPlace(handle, real);
  if (!status.isFile() || place === undefined || !isInside(directory, place.real)) throw notFound(path);
  const release = opening.move();
  return {
    name: basename(path),
    shownPath: path,
    folder: directory,
    path: place.readable,
    bytes: status.size,
    modifiedAt: status.mtime,
    slice: async (start, end) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, end - start)), 0, Math.max(0, end - start), start);
      return buffer.subarray(0, bytesRead);
    },
    confirmUnchanged: async () => {
      const now = await handle.stat();
      if (now.size !== status.size || now.mtimeMs !== status.mtimeMs) {
        throw new SourceError(`${path} changed while it was read; scan it again`, { member: 'payload.path' });
      }
    },
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

/** Where an open file really lies, and a path by which this process reads that very file; undefined where it was swapped meanwhile. */
async function openedPlace(
  handle: FileHandle,
  expected: string,
): Promise<{ readonly real: string; readonly readable: string } | undefined> {
  const descriptor = `${DESCRIPTORS}/${handle.fd}`;
  const real = await readlink(descriptor).catch(() => undefined);
  if (real !== undefined) return { real, readable: descriptor };
  const [opened, named, again] = await Promise.all([handle.stat(), stat(expected), realpath(expected)]);
  return again === expected && opened.ino === named.ino && opened.dev === named.dev ? { real: again, readable: expected } : undefined;
}

export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
}

function notFound(path: string): SourceError {
  return new SourceError(`there is no readable file ${path} below the directory of the connection`, { member: 'payload.path' });
}
