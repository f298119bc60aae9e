/** The disk, LMDB or a damaged directory let us down. The message says what was attempted; `cause` is what came from below. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** LMDB's failures (full disk, damaged page) are plain Errors with a numeric code: negative from LMDB, positive an errno. */
function isLmdbError(error: unknown): error is Error {
  return error instanceof Error && error.constructor === Error && 'code' in error && typeof error.code === 'number';
}

/** Runs `action`; what LMDB throws comes out as a StorageError, everything else as it is. */
export function withStorageErrors<Result>(attempt: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!isLmdbError(error)) throw error;
    throw new StorageError(`${attempt}: ${error.message}`, { cause: error });
  }
}
