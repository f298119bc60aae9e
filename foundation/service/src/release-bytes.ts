// SPDX-License-Identifier: Apache-2.0
/** Frees the memory of bytes that nobody reads any more, now instead of when the garbage collector comes by. */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  // Smaller ones may share their buffer with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
