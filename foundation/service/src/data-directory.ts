// SPDX-License-Identifier: Apache-2.0
/**
 * One process at a time owns a data directory. The lock is SQLite's on a file of ours: the operating system releases it when the
 * process ends, even by SIGKILL, and it works on every platform, which neither a pid file nor a lock of our own can promise.
 *
 * Taking the lock writes nothing, so that a service starts on a full disk too: with the journal in memory, `BEGIN EXCLUSIVE` on an empty
 * database only locks bytes of the file. Who holds the lock stands in a second file, written when there is room for it.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from './log.ts';
import { keepFilesPrivate, tightenPermissions } from './private-files.ts';

const LOCK_FILE = 'lock';
const HOLDER_FILE = 'lock-holder';
const OWNER_ONLY = 0o600;
/** SQLite's result codes, https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_CANTOPEN = 14;

/** SQLite's first byte of its locks, https://www.sqlite.org/fileformat2.html#the_lock_byte_page */
const LOCKED_BYTE = 1_073_741_824;
/** A lock lasts until it is disposed of, also where nobody refers to it any more. */
const held = new Set<DatabaseSync>();

export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';
}

/** The directory cannot be made or its lock file cannot be opened; the message says why. */
export class DataDirectoryUnusableError extends Error {
  override readonly name = 'DataDirectoryUnusableError';
}

/**
 * Creates the directory where it is missing and locks it until the returned lock is disposed or the process ends.
 * Nothing else may open its file `lock`: on POSIX systems closing it anywhere in the process would release it.
 *
 * @param setting the name under which an operator chooses the directory
 * @throws DataDirectoryInUseError when another process, or this one, holds it
 */
export function lockDataDirectory(directory: string, setting = 'SERVICE_DATA_DIR'): Disposable {
  const path = join(directory, LOCK_FILE);
  const database = openLockFile(directory, setting);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    database.close();
    if (codeOf(error) !== SQLITE_BUSY) throw error;
    const holder = holderOf(path, join(directory, HOLDER_FILE));
    const who = holder === undefined ? 'another process' : `process ${holder}`;
    const sentence = `The data directory ${directory} is in use by ${who}. Stop that process, or choose another directory with ${setting}.`;
    throw new DataDirectoryInUseError(sentence, { cause: error });
  }
  // By name, since opening the file would end the lock; where it belongs to somebody else, that one decides.
  bestEffort(() => chmodSync(path, OWNER_ONLY));
  // Earlier versions left the journal of their lock.
  bestEffort(() => rmSync(`${path}-journal`, { force: true }));
  bestEffort(() => writeFileSync(join(directory, HOLDER_FILE), `${process.pid}\n`, { mode: OWNER_ONLY }));
  held.add(database);
  return {
    [Symbol.dispose]: () => {
      held.delete(database);
      database.close();
    },
  };
}

/**
 * Locks the data directory and keeps what is written from now on private; earlier versions left some files to be read by all who could reach them.
 *
 * @param setting the name under which an operator chooses the directory
 * @param files what is the service's own, in that directory or elsewhere
 */
export function ownDataDirectory(
  { dataDirectory, setting, files }: { readonly dataDirectory: string; readonly setting: string; readonly files: readonly string[] },
  log: Log,
): Disposable {
  keepFilesPrivate();
  const lock = lockDataDirectory(dataDirectory, setting);
  const { changed, refused } = tightenPermissions(files.map((file) => resolve(dataDirectory, file)));
  if (changed > 0) log.info({ files: changed }, 'removed the permissions of group and others from files of the data directory');
  if (refused.length > 0)
    log.warn({ files: refused.length, first: refused[0] }, 'other users can read or write these files, which this process does not own');
  return lock;
}

function openLockFile(directory: string, setting: string): DatabaseSync {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return new DatabaseSync(join(directory, LOCK_FILE));
  } catch (cause) {
    const isUnusable = codeOf(cause) === SQLITE_CANTOPEN || (cause instanceof Error && 'syscall' in cause);
    if (!isUnusable) throw cause;
    const { message } = cause as Error;
    const sentence = `The data directory ${directory} cannot be used (${message}). Make it writable, free space on its disk, or choose another directory with ${setting}.`;
    throw new DataDirectoryUnusableError(sentence, { cause });
  }
}

/** The id of the process that holds the lock: as the system says it where it does, else as the holder has written it. */
function holderOf(lockFile: string, holderFile: string): number | undefined {
  return bestEffort(() => holderInLocks(readFileSync('/proc/locks', 'utf8'), statSync(lockFile))) ?? bestEffort(() => holderIn(holderFile));
}

/**
 * Lines such as `1: POSIX  ADVISORY  WRITE 1234 fe:00:5678 0 EOF`, https://man7.org/linux/man-pages/man5/proc_locks.5.html. Files of two disks may have
 * the same inode, so the device has to be the same too.
 */
export function holderInLocks(table: string, { dev, ino }: Pick<Stats, 'dev' | 'ino'>): number | undefined {
  for (const line of table.split('\n')) {
    const [, pid, major, minor, inode, start] =
      /^\d+: POSIX +ADVISORY +WRITE +(\d+) +([0-9a-f]+):([0-9a-f]+):(\d+) (\d+) /.exec(line) ?? [];
    const isFile = deviceOf(Number.parseInt(major ?? '', 16), Number.parseInt(minor ?? '', 16)) === dev && Number(inode) === ino;
    // For a process in another namespace the system reports 0.
    if (isFile && Number(start) === LOCKED_BYTE && Number(pid) > 0) return Number(pid);
  }
  return undefined;
}

/** A device's number as `stat` gives it on Linux, https://man7.org/linux/man-pages/man3/makedev.3.html: 12 bits of the major between 8 and 12 of the minor. */
function deviceOf(major: number, minor: number): number {
  return (minor & 0xff) + (major & 0xfff) * 2 ** 8 + (minor >> 8) * 2 ** 20;
}

function holderIn(file: string): number | undefined {
  const pid = Number(readFileSync(file, 'utf8').trim());
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function bestEffort<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'errcode' in error ? error.errcode : undefined;
}
