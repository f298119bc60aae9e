// SPDX-License-Identifier: Apache-2.0
/** One side of the mapping has no way to say what the other does, or not exactly. */
export class Inexpressible extends Error {
  override readonly name = 'Inexpressible';
}
