// SPDX-License-Identifier: Apache-2.0
/** Thrown when the program itself is wrong; never for what a caller sent. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** States a fact that only we can break. The message says where the fact is checked. */
export function assert(fact: unknown, message: string): asserts fact {
  if (!fact) throw new AssertionError(message);
}

/** Marks a place that a switch over `kind` can never reach. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable: ${String(value)}`);
}
