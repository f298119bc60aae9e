// SPDX-License-Identifier: Apache-2.0
/** Writes the code of a row, whatever the kind of codes. */
import { CODEBOOK, codeOf, codeStride, hasCodebook, isBinary, isReduced, vectorOf } from '../../memory/layout';
import { query } from '../../memory/workspace';
import { encodeBinary } from '../binary/binary-codes';
import { encodeProduct } from '../product/product-codes';
import { reduce } from '../reduced/reduced-codes';
import { encodePoint, wholeCode } from '../scalar/scalar-codes';

/** Writes the row's code where the space has codes and is calibrated. Intermediate results go to the memory of the query. */
export function encodeRow(row: u32): void {
  if (codeStride == 0) return;
  if (!hasCodebook) {
    if (isReduced) reduce(wholeCode(vectorOf(row), query), codeOf(row));
    else wholeCode(vectorOf(row), codeOf(row));
    return;
  }
  const codebook: usize = load<u32>(CODEBOOK);
  if (codebook == 0) return;
  if (isBinary) {
    encodeBinary(vectorOf(row), codebook, codeOf(row), query);
    return;
  }
  encodePoint(vectorOf(row), query);
  encodeProduct(query, codebook, codeOf(row));
}
