// SPDX-License-Identifier: Apache-2.0
import { AssertionError } from '@sextant/foundation-std';

/**
 * The disk, LMDB or a damaged directory let us down. The message says what was attempted, to callers too, so it names no path of the server;
 * `path` is for the log, and `cause` is what came from below.
 */
export class StorageError extends Error {
  override readonly name: string = 'StorageError';
  readonly path: string | undefined;

  constructor(message: string, { path, ...options }: ErrorOptions & { readonly path?: string } = {}) {
    super(message, options);
    this.path = path;
  }
}

/** What is stored is not what was written. */
export class DamagedError extends StorageError {
  override readonly name = 'DamagedError';
  /** What is damaged, such as `the point in row 17`. */
  readonly what: string;

  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is damaged`, options);
    this.what = what;
  }
}

/** A record could not be read: LMDB says that a page is damaged, or the record is none of ours. */
export function damaged(record: string, cause: unknown): Error {
  // A wrong use of the store is no damage.
  if (cause instanceof DamagedError || cause instanceof AssertionError) return cause;
  return new DamagedError(isLmdbError(cause) ? `the page of ${record}` : record, { cause });
}

/** What LMDB makes of a write that the disk took only in part. */
const EIO = 5;

/** LMDB's failures (full disk, damaged page) are plain Errors with a numeric code: negative from LMDB, positive an errno. */
function isLmdbError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && error.constructor === Error && 'code' in error && typeof error.code === 'number';
}

/** Runs `action`; what LMDB throws comes out as a StorageError, everything else as it is. */
export function withStorageErrors<Result>(attempt: string, path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!isLmdbError(error)) throw error;
    const hint = error.code === EIO ? ' (as when the disk is full)' : '';
    throw new StorageError(`${attempt}: ${error.message}${hint}`, { path, cause: error });
  }
}
