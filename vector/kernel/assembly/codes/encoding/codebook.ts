// SPDX-License-Identifier: Apache-2.0
/** The codebook: the centroids of product codes, or the centre of binary ones. */
import { isBinary, pointBytes } from '../../memory/layout';
import { binaryCodebookBytes } from '../binary/binary-codes';
import { CENTROIDS } from '../product/product-assign';

export function codebookBytes(): u32 {
  return isBinary ? binaryCodebookBytes() : CENTROIDS * pointBytes;
}
