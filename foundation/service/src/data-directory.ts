/**
 * One process at a time owns a data directory. The lock is SQLite's on a file of ours: the operating system releases it when the
 * process ends, even by SIGKILL, and it works on every platform, which neither a pid file nor a lock of our own can promise.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK_FILE = 'lock';
/** SQLite's result code for a lock that another connection holds, https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

export class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError';
}

/**
 * Creates the directory where it is missing and locks it until the returned lock is disposed or the process ends.
 * Nothing else may open its file `lock`: on POSIX systems closing it anywhere in the process would release it.
 *
 * @param setting the name under which an operator chooses the directory
 * @throws DataDirectoryInUseError when another process, or this one, holds it
 */
export function lockDataDirectory(directory: string, setting = 'SERVICE_DATA_DIR'): Disposable {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(directory, LOCK_FILE));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    const sentence = `The data directory ${directory} is in use by another process. Stop that one, or choose another directory with ${setting}.`;
    throw new DataDirectoryInUseError(sentence, { cause: error });
  }
  return { [Symbol.dispose]: () => database.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
