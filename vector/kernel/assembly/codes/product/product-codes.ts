/**
 * Product codes (H. Jégou, M. Douze, C. Schmid, Product quantization for nearest neighbor search, TPAMI 2011): a vector is cut into
 * sub-vectors of `codeWidth` components, and each becomes the number of the nearest of 256 centroids that were learned for its place. The
 * codebook holds the centroids of the first place, then those of the second, and so on, as signed bytes of the space's scale and offset.
 */
import { codeWidth, pointBytes } from '../../memory/layout';
import { seen } from '../../memory/seen-memory';
import { CENTROIDS, nearestCentroid, nearestSquare } from './product-assign';

/** Writes the code of a point, one byte for each component; returns the squared distance of what the code stands for. */
export function encodeProduct(point: usize, codebook: usize, code: usize): u64 {
  let error: u64 = 0;
  for (const end = point + pointBytes; point < end; point += codeWidth, codebook += CENTROIDS * codeWidth, code++) {
    store<u8>(code, <u8>nearestCentroid(codeWidth, point, codebook));
    error += nearestSquare;
  }
  return error;
}

/** Writes the point that a code stands for. */
export function decodeProduct(code: usize, codebook: usize, point: usize): void {
  seen(codebook, CENTROIDS * pointBytes);
  for (const end = point + pointBytes; point < end; point += codeWidth, codebook += CENTROIDS * codeWidth, code++) {
    memory.copy(point, codebook + <u32>load<u8>(code) * codeWidth, codeWidth);
  }
}
