// SPDX-License-Identifier: Apache-2.0
/**
 * Product codes (H. Jégou, M. Douze, C. Schmid, Product quantization for nearest neighbor search, TPAMI 2011): a vector is cut into
 * sub-vectors of `codeWidth` components, and each becomes the number of its nearest of 256 centroids. The codebook holds the centroids of
 * the first sub-vector, then those of the second, and so on, as signed bytes with the scale and offset of the space.
 */
import { codeWidth, pointBytes } from '../../memory/layout';
import { seen } from '../../memory/seen-memory';
import { CENTROIDS, nearestCentroid, nearestSquare } from './product-assign';

/** Writes the code of a vector of bytes. Returns the squared distance between the vector and what its code represents. */
export function encodeProduct(point: usize, codebook: usize, code: usize): u64 {
  let error: u64 = 0;
  for (const end = point + pointBytes; point < end; point += codeWidth, codebook += CENTROIDS * codeWidth, code++) {
    store<u8>(code, <u8>nearestCentroid(codeWidth, point, codebook));
    error += nearestSquare;
  }
  return error;
}

/** Writes the vector of bytes that a code represents. */
export function decodeProduct(code: usize, codebook: usize, point: usize): void {
  seen(codebook, CENTROIDS * pointBytes);
  for (const end = point + pointBytes; point < end; point += codeWidth, codebook += CENTROIDS * codeWidth, code++) {
    memory.copy(point, codebook + <u32>load<u8>(code) * codeWidth, codeWidth);
  }
}
