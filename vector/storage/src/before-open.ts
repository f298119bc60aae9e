// SPDX-License-Identifier: Apache-2.0
/**
 * What LMDB needs to open an environment is tried before it does: where opening fails, lmdb-js frees memory twice and the process ends. And
 * LMDB writes its lock file through a memory map, where a page without room on the disk is a bus error; its first pages are written beforehand.
 */
import { closeSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StorageError } from './storage-error.ts';

/** The lock file, the data file twice, and one more. */
const DESCRIPTORS = 4;
/** The header of LMDB's lock file and the slots of about 250 readers. */
const LOCK_BYTES = 16_384;
/** More than the two pages that a new data file begins with and those that its tables take. */
const NEW_STORE_BYTES = 131_072;
const PROBE_FILE = '.room';

/** @throws StorageError when the process has too few file descriptors left */
export function requireDescriptors(file: string): void {
  const opened: number[] = [];
  try {
    for (let count = 0; count < DESCRIPTORS; count++) opened.push(openSync(dirname(file), 'r'));
  } catch (cause) {
    throw new StorageError(`cannot open ${file}: the process has no file descriptor left`, { cause });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** @throws StorageError when the disk has no room for a new store in this directory */
export function requireRoomForStore(directory: string): void {
  const probe = join(directory, PROBE_FILE);
  try {
    writeZeros(probe, 'w', NEW_STORE_BYTES);
  } catch (cause) {
    throw new StorageError(`cannot create a store in ${directory}: the disk is full`, { cause });
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Before the thread that writes opens the environment; until then nobody has the file open. */
export function prepareLockFile(file: string): void {
  try {
    writeZeros(file, 'a', LOCK_BYTES);
  } catch (cause) {
    throw new StorageError(`cannot write ${file}`, { cause });
  }
}

/** Makes a file at least so long; what it has stays. */
function writeZeros(file: string, flags: 'a' | 'w', bytes: number): void {
  const descriptor = openSync(file, flags, 0o600);
  try {
    for (let missing = bytes - fstatSync(descriptor).size; missing > 0; ) missing -= writeSync(descriptor, Buffer.alloc(missing));
  } finally {
    closeSync(descriptor);
  }
}
