/** The disk, LMDB or a damaged directory let us down. The message says what was attempted; `cause` is what came from below. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** What LMDB makes of a write that the disk took only in part. */
const EIO = 5;

/** LMDB's failures (full disk, damaged page) are plain Errors with a numeric code: negative from LMDB, positive an errno. */
function isLmdbError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && error.constructor === Error && 'code' in error && typeof error.code === 'number';
}

/** Runs `action`; what LMDB throws comes out as a StorageError, everything else as it is. */
export function withStorageErrors<Result>(attempt: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!isLmdbError(error)) throw error;
    const hint = error.code === EIO ? ' (as when the disk is full)' : '';
    throw new StorageError(`${attempt}: ${error.message}${hint}`, { cause: error });
  }
}
