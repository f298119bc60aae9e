// SPDX-License-Identifier: Apache-2.0
/**
 * Short typed arrays that share buffers. An array with a buffer of its own takes about a microsecond of memory management outside of the
 * JavaScript heap; a view of a shared one takes a fiftieth of that. The buffer lives as long as the longest-lived of its arrays, so this is
 * for what lives as long as a request. To send one to another thread, copy it: its whole buffer would go.
 */

const POOL_BYTES = 64 * 1024;
/** Longer arrays would leave too much of a buffer unused. */
const POOLED_BYTES_MAX = POOL_BYTES / 8;
const ALIGNMENT = 8;

let pool = new ArrayBuffer(POOL_BYTES);
let used = 0;

/** Zeros, as `new Float32Array(length)` gives them. */
export function pooledFloat32(length: number): Float32Array {
  const bytes = length * Float32Array.BYTES_PER_ELEMENT;
  if (bytes > POOLED_BYTES_MAX) return new Float32Array(length);
  const offset = reserve(bytes);
  return new Float32Array(pool, offset, length);
}

/** Zeros, as `new Uint32Array(length)` gives them. */
export function pooledUint32(length: number): Uint32Array {
  const bytes = length * Uint32Array.BYTES_PER_ELEMENT;
  if (bytes > POOLED_BYTES_MAX) return new Uint32Array(length);
  const offset = reserve(bytes);
  return new Uint32Array(pool, offset, length);
}

/** An offset in the pool. No part of a buffer is given out twice, so each is still zero. */
function reserve(bytes: number): number {
  if (used + bytes > POOL_BYTES) {
    pool = new ArrayBuffer(POOL_BYTES);
    used = 0;
  }
  const offset = used;
  used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
  return offset;
}
