/** The disk, LMDB or a damaged directory let us down. The message says what was attempted; `cause` is what came from below. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** LMDB's own failures (full disk, damaged page) carry a numeric code: negative from LMDB, positive an errno. */
export function isLmdbError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
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
