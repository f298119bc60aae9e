// SPDX-License-Identifier: Apache-2.0
/** `slice`: a collection cut into parts that do not overlap, by a hash of the point's id. */
import type { PointId } from '@sextant/contracts-vector';

/**
 * The part, 0 to total - 1, that an id belongs to: FNV-1a with 32 bits (Fowler, Noll and Vo) over the bytes of the id's decimal
 * digits or of its hyphenated lower-case text, mixed by the finaliser of MurmurHash3 (Appleby) because FNV's low bits alone
 * are uneven, modulo `total`. It depends on nothing but the id, so every server and release cuts alike.
 */
export function sliceOf(id: PointId, total: number): number {
  const text = String(id);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % total;
}
