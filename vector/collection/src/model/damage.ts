// SPDX-License-Identifier: Apache-2.0
/** The errors for damaged stored data: they name the collection and, as far as it is known, the record. */
import { ServiceError } from '@sextant/contracts-vector';
import { DamagedError } from '@sextant/vector-storage';

/** The error with the collection's name where it is about damage, else the error itself. */
export function namedDamage<Failure>(error: Failure, collection: string): Failure | ServiceError {
  const found = damageIn(error);
  return found === undefined ? error : new ServiceError('record_damaged', { collection, what: found.what }, { cause: error });
}

/** A reason that callers may see: that of a failed system call without the path of the server that it is about. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'syscall' in error ? error.message.replace(/, \w+ '.*$/s, '') : error.message;
}

/** What was thrown, which is an error as a rule. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** A transaction that fails says so, and why in its cause. */
function damageIn(error: unknown): DamagedError | undefined {
  if (error instanceof DamagedError) return error;
  return error instanceof Error && error.cause !== undefined ? damageIn(error.cause) : undefined;
}
